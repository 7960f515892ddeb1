/** How far off a position may be said, in percent of the text (QUASAR, position: «correct with tolerance»). */
const TOLERANCE = 10;

/** Of all numbers in an answer, the share that is near the one that is wanted; both are percent of a text. */
export function position(answer: string, reference: string): number {
  const said = answer.match(/\d+(?:[.,]\d+)?/g) ?? [];
  const isNear = (number: string) => Math.abs(Number(number.replace(',', '.')) - Number(reference)) <= TOLERANCE;
  return said.length === 0 ? 0 : said.filter(isNear).length / said.length;
}
