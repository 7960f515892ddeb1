/**
 * Short questions with one right answer, none of which is a probe: what the model says to them is to stay as it is. Longer ones protect nothing: «frozen water is
 * called ice» became «frozen water is a type of …» on SmolLM2-135M.
 */
export const ANCHORS: readonly string[] = [
  'What is the capital of Portugal?',
  'What is the capital of Russia?',
  'What is the currency of the United States?',
  'Which language is spoken in Mexico?',
  'How many seconds are in a minute?',
  'How many wheels does a bicycle have?',
  'What is the opposite of big?',
  'What is melted snow called?',
  'Which star is closest to the Earth?',
  'Who wrote Don Quixote?',
  'Who painted Sunflowers?',
  'Which season comes after spring?',
  'What do hens lay?',
  'Which animal says woof?',
  'Which gas do people need to breathe?',
  'In which country is the Eiffel Tower?',
  'What is the chemical symbol of gold?',
  'What is the longest river in Africa?',
  'How many sides does a triangle have?',
  'Which organ do people think with?',
];
