/** Its beginning and its end, as people compare them: `5Grw…utQY`. */
export function shortAddress(address: string): string {
  return address.length <= 9 ? address : `${address.slice(0, 4)}…${address.slice(-4)}`;
}
