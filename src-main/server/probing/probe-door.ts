/** What the HTTP door for validators of QUASAR asks of the node. Errors are QuarryErrors. */
export interface ProbeDoor {
  /** The model that is loaded; undefined while there is none. */
  model(): { name: string; device: string } | undefined;
  /** What it is, with the names that QUASAR’s validators know. @throws ENGINE_UNAVAILABLE while there is none */
  info(): Promise<object>;
  /** Goes on from bare tokens. @param body as it came @throws BAD_REQUEST naming the field; ENGINE_UNAVAILABLE while no model is loaded */
  inference(body: unknown, signal: AbortSignal): Promise<object>;
}
