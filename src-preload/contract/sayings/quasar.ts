/** What main says about: questions about long texts, what answers to them are worth, and what that earns. */
export const quasar = {
  'quasar.noDataset': 'It is not known how answers to «{{name}}» are scored.',
  'quasar.datasets': 'Known are: {{names}}.',
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
} as const;
