/** Whether an address names a server and nothing else: what else it may hold is a secret, or is not passed on. */
export function isBare(address: string): boolean {
  const { username, password, search } = new URL(address);
  return username === '' && password === '' && search === '';
}
