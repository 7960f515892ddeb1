import { EventEmitter } from 'node:events';
import type { FromApp, FromDriver } from './messages.ts';

/** The double's end of the channel to the driver: each message is an event of its type. */
class Channel extends EventEmitter {
  send(message: FromApp): void {
    process.send?.(message, undefined, undefined, () => undefined);
  }

  hear<T extends FromDriver['type']>(type: T, listener: (message: Extract<FromDriver, { type: T }>) => void): void {
    this.on(type, listener);
  }
}

export const channel = new Channel();

process.on('message', (message: FromDriver) => channel.emit(message.type, message));
