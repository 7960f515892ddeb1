/** What one node grants others. Every figure has a default; see docs/protocol.md for what a peer should expect. */
export interface Limits {
  /** Open connections, in and out together. Default 128. */
  connections: number;
  /** Open connections with one host. Loopback is exempt: whoever is there owns the machine. Default 16. */
  connectionsPerHost: number;
  /** Handshakes that one host may start per second, and at once. Loopback is exempt. Default 5 and 20. */
  handshakesPerSecond: number;
  handshakeBurst: number;
  /** Milliseconds from connection to a valid hello. Default 10,000. */
  helloTimeoutMs: number;
  /** Frames that one peer may send per second on one network, and at once. Default 4,000 and 8,000. */
  framesPerSecond: number;
  frameBurst: number;
  /** Bytes that one peer may send per second on one network, and at once. Default 8 MiB and 16 MiB. */
  bytesPerSecond: number;
  byteBurst: number;
  /** Bytes that wait for a peer that reads too slowly before it is dropped. Default 4 MiB. */
  outQueueBytes: number;
  /** Milliseconds between two pings. Default 2,000. */
  pingIntervalMs: number;
  /**
   * Milliseconds without a frame after which a peer counts as gone. Default 8,000: a killed worker says no goodbye, and a
   * client that waits for its answer should not wait long.
   */
  silenceMs: number;
}

export const DEFAULT_LIMITS: Limits = {
  connections: 128,
  connectionsPerHost: 16,
  handshakesPerSecond: 5,
  handshakeBurst: 20,
  helloTimeoutMs: 10_000,
  framesPerSecond: 4_000,
  frameBurst: 8_000,
  bytesPerSecond: 8 * 1024 * 1024,
  byteBurst: 16 * 1024 * 1024,
  outQueueBytes: 4 * 1024 * 1024,
  pingIntervalMs: 2_000,
  silenceMs: 8_000,
};
