/** Weights on their way to the chain. */
export interface WeightsToSend {
  netuid: number;
  /** Each once; beside {@link weights}. */
  uids: readonly number[];
  /** In any scale, none below 0. */
  weights: readonly number[];
  /** Of the program that judges. Default: the least that the subnet takes. */
  versionKey?: bigint | undefined;
}

/** What became of them. */
export interface SentWeights {
  /** They are handed in, and no final block has them yet, or it could not be waited for. */
  pending: boolean;
  /** The one that has them; null as long as that is not known. */
  block: number | null;
  /** Of the call, `0x…`; null where only another program knows it. */
  hash: string | null;
  /** What should be known of them: that they have to be revealed by hand. */
  warnings: string[];
}

export interface Sending {
  /** Until a block that nothing can undo has them: half a minute as a rule. Else it is enough that they are handed in. */
  wait: boolean;
  signal?: AbortSignal | undefined;
}

/** Whatever sets weights in the name of a hotkey. */
export interface WeightSender {
  /** The address (ss58) of that hotkey. */
  hotkey(signal?: AbortSignal): Promise<string>;
  /**
   * @throws BAD_REQUEST for weights that are none; CHAIN_REFUSED for what the chain or a rule of the subnet refuses; UNAUTHORIZED; CHAIN_UNREACHABLE;
   *   NOT_RUNNING where nobody signs; DEADLINE: it may have happened
   */
  send(weights: WeightsToSend, how: Sending): Promise<SentWeights>;
}
