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
