/** Where something listens, or is reached. */
export interface Place {
  /** IPv4 or IPv6. */
  ip: string;
  port: number;
}

/** `203.0.113.9:8091`, `[2001:db8::9]:8091`. */
export function placeText({ ip, port }: Place): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
}

/** Whether two are one: an IPv6 address can be written in many ways. */
export function isSamePlace(one: Place, other: Place): boolean {
  return canonical(one) === canonical(other);
}

/** What is no address is left as it is. */
function canonical(place: Place): string {
  return URL.parse(`http://${placeText(place)}`)?.host ?? placeText(place);
}
