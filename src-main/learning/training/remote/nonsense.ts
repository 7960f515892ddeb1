/** The other side says what no such program says. Its end is the end of what is spoken about. */
export class Nonsense extends Error {
  constructor(what: string) {
    super(what);
    this.name = 'Nonsense';
  }
}
