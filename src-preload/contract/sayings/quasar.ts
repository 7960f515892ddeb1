/** What main says about: questions about long texts, what answers to them are worth, and what that earns. */
export const quasar = {
  'quasar.noClasses': 'The answer is to name one of several classes, and it is not said which there are.',
  'quasar.metric.f1': 'words in common with the right answer (F1)',
  'quasar.metric.exactMatch': 'exactly the right answer',
  'quasar.metric.rougeL': 'words in the same order as in the right summary (ROUGE-L)',
  'quasar.metric.classification': 'the right class, and no other',
  'quasar.metric.retrieval': 'the right paragraph, and no other',
  'quasar.metric.count': 'the right number, and no other',
  'quasar.metric.codeSimilarity': 'how alike the lines of code are',
  'quasar.metric.mrcr': 'the right one of several texts, said again word for word',
  'quasar.metric.f1Chinese': 'Chinese words in common with the right answer (F1)',
  'quasar.metric.rougeLChinese': 'Chinese words in the same order as in the right summary (ROUGE-L)',
  'quasar.metric.position': 'the right place in the text, to a tenth of it',
  'quasar.name.accuracy': 'Accuracy',
  'quasar.name.reward': 'Reward',
  'quasar.name.composite': 'Composite',
  'quasar.name.memory': 'Memory',
  'quasar.name.position': 'Position',
  'quasar.name.coherence': 'Coherence',
  'quasar.name.speed': 'Speed',
  'quasar.name.scaling': 'Scaling',
  'quasar.name.consistency': 'Consistency',
  'quasar.is.accuracy': 'How right the answers are, each by the metric of its kind.',
  'quasar.is.reward': 'The accuracy, worth 1 to 2 times as much for longer texts, and never more than 1 for an answer.',
  'quasar.is.composite': 'QUASAR’s sum of the five parts below, by their weights.',
  'quasar.is.memory':
    'The share of hidden values that were given, right in full. Above 80 % it counts squared, below that half.',
  'quasar.is.position':
    'How often it was said where something stands, to a tenth of the text; each fifth of the text counts as much.',
  'quasar.is.coherence': 'How alike a summary and the right one are (ROUGE-L), and how little it repeats itself.',
  'quasar.is.speed': 'Tokens of answers a second, with the time in which the text was read; 1,000 are all that counts.',
  'quasar.is.scaling': 'Whether a longer text takes no more time for each token: then it is 100 %.',
  'quasar.is.consistency':
    'How often a question that is put a little differently gets the same answer, right or wrong.',
  'quasar.from.answers': 'Out of {{answers, answer|answers}}.',
  'quasar.from.someAnswers':
    'Out of {{answers, answer|answers}}. Without one, as there was no room for the text: {{unanswered}}. These do not count.',
  'quasar.from.sameReward': 'The same as the accuracy: no text has more than 32,000 tokens.',
  'quasar.from.reward':
    'Out of each answer’s accuracy and the length of its text: about the longest it counted {{multiplier}} times.',
  'quasar.from.parts': 'Out of what counts of each part below.',
  'quasar.from.partsAndBonus':
    'Out of what counts of each part below, and {{percent}} % more for questions that go very well.',
  'quasar.from.part': 'Out of {{answers, answer|answers}}. Of this {{counted}} % count, with a weight of {{weight}} %.',
  'quasar.from.lengths':
    'Out of the times at {{shortest}} and {{longest}} tokens. Of this {{counted}} % count, with a weight of {{weight}} %.',
  'quasar.from.pairs':
    'Out of {{pairs, question|questions}} that were asked twice: at least 85 % of all words have to be in both answers.',
  'quasar.lacks.answers': 'Not measured: nothing was answered yet.',
  'quasar.lacks.parts': 'Not measured: it takes all five parts. Missing: {{parts}}.',
  'quasar.lacks.memory': 'Not measured: ask «needle», «needles», «two-hop», «anchors» or «scaling».',
  'quasar.lacks.position': 'Not measured: ask «places».',
  'quasar.lacks.coherence':
    'Not measured: ask for summaries: «govreport», or of LongBench «gov_report», «qmsum» or «multi_news».',
  'quasar.lacks.speed': 'Not measured: whoever answers does not tell how many tokens its answers have.',
  'quasar.lacks.scaling': 'Not measured: ask one kind of made texts at two lengths, «scaling» for example.',
  'quasar.lacks.consistency': 'Not measured: ask each question about a made text twice.',
  'quasar.asked.judged': 'Accuracy {{percent}} %: {{metric}}. The text has about {{tokens}} tokens.',
  'quasar.asked.wordy':
    'The answer has {{length}} characters, and {{most}} are enough: it was asked for with nothing else.',
  'quasar.asked.multiplied':
    'Accuracy {{percent}} %: {{metric}}. The text has about {{tokens}} tokens, for which that counts {{multiplier}} times, and no more than 100 %: {{reward}} %.',
  'quasar.probe.verified':
    'Verified: each of its tokens is what this node’s model says, and the logits are as near as they have to be (cosine {{cosine}}, none more than {{apart}} apart). {{speed}} tokens a second by the validator’s clock.',
  'quasar.probe.audited':
    'Verified: tokens and log-probabilities are as honest ones of this file are. {{speed}} tokens a second by the validator’s clock.',
  'quasar.probe.prefix':
    'prefix_mismatch: this node’s model would not have chosen token {{step}} after the ones before it.',
  'quasar.probe.thresholds':
    'threshold_failed: the logits are too far from those of this node’s model behind the same tokens (cosine {{cosine}}, at least 0.99 is wanted; one is {{apart}} apart, at most 0.1 may be).',
  'quasar.probe.audit':
    'threshold_failed: over {{tokens}} tokens, {{measure}} is {{mean}}, and honest answers of this file stay below {{threshold}}.',
  'quasar.probe.shape': 'shape_mismatch: there are not as many tokens or logits as were asked for, or some are none.',
  'quasar.probe.noLogits': 'no_logits: the logits of the step that was asked for are missing.',
  'quasar.probe.zeroNorm': 'zero_norm: the logits are nothing but zeros.',
  'quasar.probe.otherFile':
    'other_file: it computes with another file than this validator, or does not say with which, and a quantised file can only be compared with itself.',
  'quasar.probe.noEvidence':
    'no_evidence: the ten likeliest tokens at each place are missing, by which a quantised file is recognised.',
  'quasar.probe.otherModel': 'Another model has been loaded meanwhile.',
  'quasar.probe.noModel':
    'There is no model here with which answers could be compared: none is loaded, or with a coarser cache or scaled positions.',
  'quasar.probe.noModel.hint': 'Choose a model of this computer: it is the one that miners are to have.',
  'quasar.probe.notCalibrated':
    'It is not known yet how honest answers of this quantised file differ from how it reads them again.',
  'quasar.probe.notCalibrated.hint':
    'Calibrate audits with this model first, or choose a file that is not quantised (F16).',
  'quasar.code.noProgram': 'There is no program.',
  'quasar.code.syntax': 'it cannot be read as Python ({{name}} in line {{line}})',
  'quasar.code.missing': 'it does not define the function that is wanted',
  'quasar.code.raised': 'it ends with {{name}} in line {{line}}',
  'quasar.code.notJson': 'it returns something that is not a value of JSON',
  'quasar.code.large': 'it returns or prints too much, or a number that is too large',
  'quasar.code.deep': 'it returns something that is nested too deeply, or holds itself',
  'quasar.code.silent': 'nothing that can be read came back',
  'quasar.code.late': 'it takes too long',
  'quasar.code.died': 'it broke the limits of its sandbox, which {{reason}}',
  'quasar.code.otherValue': 'another value is right in case {{number}}',
  'quasar.code.solved': 'The program is right in all {{cases}} cases.',
  'quasar.code.none': 'The program is right in none of {{cases}} cases, with the function «{{entry}}»: {{why}}.',
  'quasar.code.some': 'The program is right in {{passed}} of {{cases}} cases: {{why}}.',
  'quasar.code.shownOnly':
    'The program is right for the code base that was shown and for none of the others, which is worth nothing: {{why}}.',
  'quasar.code.noSandbox': 'The sandbox does not run a program of our own either, so nothing is judged.',
} as const;
