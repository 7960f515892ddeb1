/** Why what was typed is no miner. */
export interface EndpointFault {
  field: 'name' | 'url';
  why: 'noName' | 'badName' | 'taken' | 'badUrl';
}

/** As the contract has it. */
const NAME = /^[\w.-]{1,64}$/;

/** What main would refuse, told beside its field before it is sent. @param taken names of others */
export function faultOfEndpoint(
  typed: { name: string; url: string },
  taken: readonly string[],
): EndpointFault | undefined {
  const name = typed.name.trim();
  if (name === '') return { field: 'name', why: 'noName' };
  if (!NAME.test(name)) return { field: 'name', why: 'badName' };
  if (taken.includes(name)) return { field: 'name', why: 'taken' };
  const url = URL.parse(typed.url.trim());
  if (!url || !/^https?:$/.test(url.protocol)) return { field: 'url', why: 'badUrl' };
  return undefined;
}

/** Whether everybody on the way can read what is sent there, the key too: without TLS to another computer. */
export function isReadable(typed: string): boolean {
  const url = URL.parse(typed.trim());
  return url?.protocol === 'http:' && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname);
}
