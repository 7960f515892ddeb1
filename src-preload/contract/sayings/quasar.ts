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
  'quasar.score.accuracy': 'Accuracy: how alike the answer and the right answer are, by the metric of the data set.',
  'quasar.score.reward': 'Reward: the accuracy, times 1 to 2 for longer contexts, and never more than 100 %.',
  'quasar.score.memory':
    'Memory: which share of values hidden in the context was found, to the letter. Above 80 % it counts squared, below that half.',
  'quasar.score.position': 'Position: how often it was said where something stands, to a tenth of the context.',
  'quasar.score.coherence': 'Coherence: how alike the answer and the right one are, and how little it repeats itself.',
  'quasar.score.speed': 'Speed: tokens a second on the clock of whoever asked; 1,000 are all that counts.',
  'quasar.score.scaling': 'Scaling: whether a longer context takes no more time for each token.',
  'quasar.score.composite': 'Composite: memory, position, coherence, speed and scaling, by their weights.',
  'quasar.score.steadiness': 'Steadiness: whose last scores are alike gets up to a quarter more.',
  'quasar.score.consistency': 'Consistency: whether the same question, put a little differently, gets the same answer.',
  'quasar.score.uniqueness':
    'Uniqueness: how unlike the answer is to what others answered. It counts only where a right answer can be put in many ways.',
  'quasar.score.variety':
    'Variety: how unlike the last answers of the same miner are to each other. It counts only where a right answer can be put in many ways.',
  'quasar.part.memory': 'Memory',
  'quasar.part.position': 'Position',
  'quasar.part.coherence': 'Coherence',
  'quasar.part.speed': 'Speed',
  'quasar.part.scaling': 'Scaling',
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
  'quasar.why.accuracy': 'Accuracy {{percent}} %: {{metric}}.',
  'quasar.why.multiplied': 'For a context of this length it counts {{multiplier}} times: reward {{percent}} %.',
  'quasar.why.capped': 'For a context of this length it counts {{multiplier}} times, and no more than {{percent}} %.',
  'quasar.why.composite': 'Composite {{percent}} %.',
  'quasar.why.part': '{{part}} counts {{percent}} %, with a weight of {{weight}} %.',
  'quasar.why.bonus': 'What this task is to show is very good: {{percent}} % more.',
  'quasar.why.consistent':
    'Put a little differently, the question got the same answer: {{percent}} % of all words are in both.',
  'quasar.why.inconsistent':
    'Put a little differently, the question got another answer: {{percent}} % of all words are in both.',
  'quasar.why.diversity':
    'The answer is {{uniqueness}} % unlike those of others; the miner’s own last answers are {{variety}} % unlike each other.',
} as const;
