/**
 * One of several classes (LongBench, classification): those that the answer names, without those of which the right one’s name is made, share what it is worth. The
 * original takes names out of the list that it is walking along, so that the one after each stays unseen; scores are to be the same, so this does as well.
 */
export function classification(answer: string, reference: string, classes: readonly string[]): number {
  const named = classes.filter((name) => answer.includes(name));
  for (const name of named) {
    if (reference.includes(name) && name !== reference) named.splice(named.indexOf(name), 1);
  }
  return named.includes(reference) ? 1 / named.length : 0;
}
