/** So alike two answers have to be (QUASAR, perturbations). */
const CONSISTENT_FROM = 0.85;

/**
 * Whether the same question, put a little differently, gets the same answer (QUASAR, perturbations): by the words of both, of which so many have to be in each. The original
 * compares an answer with itself, which is always consistent; here it is two. Where one of them says nothing, they are not. Signs do not count: answers may be one word
 * long, with a full stop or without.
 */
export function areConsistent(answer: string, toPerturbed: string): boolean {
  const [one, other] = [wordSet(answer), wordSet(toPerturbed)];
  const all = one.union(other).size;
  return all > 0 && one.intersection(other).size >= CONSISTENT_FROM * all;
}

const wordSet = (text: string) =>
  new Set(
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean),
  );
