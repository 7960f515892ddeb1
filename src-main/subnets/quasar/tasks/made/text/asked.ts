/**
 * All that is asked about a text. What comes before the question is the same for every question about a text: an engine reads it once.
 * @param form in which the answer is wanted: `the number, in digits`
 */
export const asked = (
  context: string,
  question: string,
  form: string,
): string => `Read this text. A question about it follows.

${context}

That was the text. ${question} Answer with ${form} and nothing else.`;
