import type { IncomingHttpHeaders } from 'node:http';
import { hexOf } from '../hex.ts';
import { PROTOCOL_VERSION, type SynapseType } from './synapse.ts';

/** From this version of the SDK on a nonce is the time in nanoseconds: 7.2.0. */
const NONCES_ARE_TIMES = 7_002_000;
const MAX_TIMEOUT_S = 86_400;
const SIGNATURE_BYTES = 64;
const HASH_BYTES = 32;
const MAX_MESSAGE_CHARS = 500;

/** What a signed request says of itself in its headers, before its body came. Of who signed it nothing is proven yet. */
export interface RequestHead {
  /** Seconds that the caller is going to wait. */
  timeout: number;
  /** The caller's hotkey (ss58). */
  hotkey: string;
  uuid: string;
  /** Unix nanoseconds: more digits than a number holds. */
  nonce: bigint;
  /** 64 bytes. */
  signature: Uint8Array;
  /** Lower-case hex. */
  bodyHash: string;
}

/** Why a head cannot be read: the status and the words for whoever sent it. */
export interface HeadFault {
  status: 400 | 401;
  message: string;
}

/** What of a head is signed (Bittensor §1.3). @param axon the hotkey (ss58) that is asked */
export function signedText(
  { nonce, hotkey, uuid, bodyHash }: Omit<RequestHead, 'signature' | 'timeout'>,
  axon: string,
) {
  return `${nonce}.${hotkey}.${axon}.${uuid}.${bodyHash}`;
}

/** The headers of a request. @param at where it goes @param ip the caller's own address, as far as it knows it */
export function requestHeaders(
  type: Pick<SynapseType, 'name' | 'inputHeaders'>,
  { timeout, hotkey, uuid, nonce, signature, bodyHash }: RequestHead,
  { axon, ip, bodyBytes }: { axon: { ip: string; port: number; hotkey: string }; ip: string; bodyBytes: number },
): Record<string, string> {
  const headers = {
    name: type.name,
    timeout: pythonFloat(timeout),
    ...prefixed('bt_header_axon_', { ip: axon.ip, port: axon.port, hotkey: axon.hotkey }),
    ...prefixed('bt_header_dendrite_', { ip, version: PROTOCOL_VERSION, nonce, uuid, hotkey }),
    bt_header_dendrite_signature: hexOf(signature),
    ...type.inputHeaders,
    computed_body_hash: bodyHash,
  };
  return { ...headers, ...sizes(headers, bodyBytes) };
}

/**
 * Reads the headers of a request: sizes and forms only, in the same small time whatever they hold. Whether the signature is
 * right is for others to say.
 */
export function readHead(
  headers: IncomingHttpHeaders,
  type: Pick<SynapseType, 'inputHeaders'>,
): RequestHead | HeadFault {
  const text = (name: string) => (typeof headers[name] === 'string' ? headers[name] : '');
  const dendrite = (name: string) => text(`bt_header_dendrite_${name}`);
  const timeout = Number(text('timeout') || Number.NaN);
  const [version, nonce, uuid, hotkey] = [dendrite('version'), dendrite('nonce'), dendrite('uuid'), dendrite('hotkey')];
  const bodyHash = text('computed_body_hash');
  const signature = hexBytes(dendrite('signature').replace(/^0x/, ''), SIGNATURE_BYTES);
  const missing = Object.keys(type.inputHeaders).find((name) => text(name) === '');
  if (missing) return unreadable(missing);
  if (!(timeout > 0 && timeout <= MAX_TIMEOUT_S)) return unreadable('timeout');
  if (!/^5\w{46,47}$/.test(hotkey)) return unverified('Missing or wrong hotkey');
  if (nonce === '') return unverified('Missing Nonce');
  if (!/^[1-9]\d{0,18}$/.test(nonce)) return unverified('Nonce is no time in nanoseconds');
  if (!/^\d{1,9}$/.test(version) || Number(version) < NONCES_ARE_TIMES) {
    return unverified('Nonces of SDKs before 7.2.0 are not taken');
  }
  if (!/^[\w-]{1,64}$/.test(uuid)) return unverified('Missing or wrong uuid');
  if (!hexBytes(bodyHash, HASH_BYTES)) return unverified('Missing or wrong body hash');
  if (!signature) return unverified('Missing Signature');
  return { timeout, hotkey, uuid, nonce: BigInt(nonce), signature, bodyHash };
}

/** What an axon says of how it went, in headers. */
export interface ResponseHead {
  name: string;
  hotkey: string;
  /** Of the request; undefined where it could not be read. */
  head: RequestHead | undefined;
  status: number;
  message: string;
  /** Seconds. */
  processTime: number;
  bodyHash: string;
  bodyBytes: number;
}

/** The headers of an answer, or of a refusal. */
export function responseHeaders(response: ResponseHead): Record<string, string> {
  const { name, hotkey, head, status, message, processTime, bodyHash, bodyBytes } = response;
  const headers = {
    name,
    ...(head && { timeout: pythonFloat(head.timeout) }),
    ...prefixed('bt_header_axon_', {
      status_code: status,
      status_message: headerText(message),
      process_time: processTime.toFixed(6),
      version: PROTOCOL_VERSION,
      hotkey,
    }),
    ...(head && prefixed('bt_header_dendrite_', { nonce: head.nonce, uuid: head.uuid, hotkey: head.hotkey })),
    computed_body_hash: bodyHash,
  };
  return { ...headers, ...sizes(headers, bodyBytes) };
}

/** What an axon said of how it went; what is missing or has no sense is left out. */
export function readStatus(headers: IncomingHttpHeaders): { status?: number; message?: string } {
  const status = headers.bt_header_axon_status_code;
  const message = headers.bt_header_axon_status_message;
  return {
    ...(typeof status === 'string' && /^\d{3}$/.test(status) && { status: Number(status) }),
    ...(typeof message === 'string' && { message: message.slice(0, MAX_MESSAGE_CHARS) }),
  };
}

function prefixed(prefix: string, values: Record<string, string | number | bigint>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [prefix + key, String(value)]));
}

/** Nobody checks them, but a number has to be there. */
function sizes(headers: Record<string, string>, bodyBytes: number): Record<string, string> {
  return { header_size: String(JSON.stringify(headers).length), total_size: String(bodyBytes) };
}

/** As Python writes seconds: with a point. */
function pythonFloat(seconds: number): string {
  return Number.isInteger(seconds) ? `${seconds}.0` : String(seconds);
}

/** One line of ASCII: anything else ends the answer where it is written into a header. */
function headerText(message: string): string {
  return message.slice(0, MAX_MESSAGE_CHARS).replace(/[^ -~]/g, '?');
}

function hexBytes(text: string, length: number): Uint8Array | undefined {
  if (text.length !== length * 2) return undefined;
  const bytes = Buffer.from(text, 'hex');
  return bytes.length === length ? bytes : undefined;
}

function unverified(reason: string): HeadFault {
  return { status: 401, message: notVerified(reason) };
}

function unreadable(header: string): HeadFault {
  return { status: 400, message: `Improperly formatted request. Could not parse the header ${header}.` };
}

/** As the SDK words it. */
export function notVerified(reason: string): string {
  return `Not Verified with error: ${reason}`;
}
