import type { Agent, Dispatcher } from 'undici';

type Started = Parameters<NonNullable<Dispatcher.DispatchHandler['onRequestStart']>>;

/** What undici’s types say of its class leaves out its methods. */
declare class Handler {
  constructor(handler: Dispatcher.DispatchHandler);
  onRequestStart(...started: Started): void;
}

let agent: Agent | undefined;

/**
 * For `fetch`: tells when the request goes out on a connection that stands, with TLS where that is wanted. Each has a connection of its own: of one that is
 * used again nobody knows whether it still leads anywhere.
 */
export async function watched(onSent: () => void): Promise<Dispatcher> {
  const { Agent, DecoratorHandler } = await import('undici'); // large, and few need it
  class Watching extends (DecoratorHandler as unknown as typeof Handler) {
    override onRequestStart(...started: Started): void {
      onSent();
      super.onRequestStart(...started);
    }
  }
  agent ??= new Agent({ pipelining: 0 });
  return agent.compose((dispatch) => (options, handler) => dispatch(options, new Watching(handler)));
}
