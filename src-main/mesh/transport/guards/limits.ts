/** What one node grants others. Every figure has a default; see docs/protocol.md for what a peer should expect. */
export interface Limits {
  /** Open connections, in and out together. An eighth of the places is kept for those that this node starts. Default 128. */
  connections: number;
  /** Open connections with one host. With one network prefix (/24, /48) twice as many, but for local networks. Default 16. */
  connectionsPerHost: number;
  /** Connections that one host may start per second, and at once; one prefix four times as many. Default 5 and 20. */
  handshakesPerSecond: number;
  handshakeBurst: number;
  /**
   * Connections from outside whose other end has not yet shown that it is at the address it gave: beside the places, and the
   * oldest goes for one too many. Handshakes that are taken per second, and at once, of all such together. As many again have those whom this node knows. Default 100, 50 and 50:
   * so each has a second at least, whoever floods, and an honest one needs a round trip.
   */
  unproven: number;
  unprovenPerSecond: number;
  unprovenBurst: number;
  /** Whether hosts on loopback have none of the limits by host and prefix: whoever is there owns the machine. Default true. */
  exemptLoopback: boolean;
  /**
   * Milliseconds from connection to a valid hello. Default 5,000: a round trip by satellite or a crowded telephone cell takes less
   * than one second, and of a packet that is lost twice three more.
   */
  helloTimeoutMs: number;
  /** Frames that one peer may send per second on one network, and at once. Default 4,000 and 8,000. */
  framesPerSecond: number;
  frameBurst: number;
  /** Bytes that one peer may send per second on one network, and at once. Default 8 MiB and 16 MiB. */
  bytesPerSecond: number;
  byteBurst: number;
  /**
   * Bytes that are read per second of all peers together, and at once; what is more waits for its turn. A core of 2024 reads 3 to
   * 10 MB a second of what costs most (signed claims, pledges, alternatives of each token), 50 to 200 of plain texts: the default
   * of 3 MiB is about half a core of the former. What a message, or a frame in it, costs by itself is counted too.
   */
  readBytesPerSecond: number;
  /** Channels that one peer may open per second, and at once. Each score log that is shared is one. Default 50 and 2,000. */
  opensPerSecond: number;
  openBurst: number;
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
  exemptLoopback: true,
  unproven: 100,
  unprovenPerSecond: 50,
  unprovenBurst: 50,
  helloTimeoutMs: 5_000,
  framesPerSecond: 4_000,
  frameBurst: 8_000,
  bytesPerSecond: 8 * 1024 * 1024,
  byteBurst: 16 * 1024 * 1024,
  readBytesPerSecond: 3 * 1024 * 1024,
  opensPerSecond: 50,
  openBurst: 2_000,
  outQueueBytes: 4 * 1024 * 1024,
  pingIntervalMs: 2_000,
  silenceMs: 8_000,
};
