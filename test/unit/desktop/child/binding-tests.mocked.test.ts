import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { BindingTests } from '../../../../src-main/desktop/child/binding-tests.ts';
import {
  type BindingTestNews,
  type BindingTestOrder,
  RemoteTests,
} from '../../../../src-main/desktop/child/remote-tests.ts';

class FakeUtility extends EventEmitter {
  postMessage = vi.fn();
  kill = vi.fn();
}

const forked = vi.hoisted(() => ({ children: [] as unknown[], fork: vi.fn() }));
vi.mock('electron', () => ({ utilityProcess: { fork: forked.fork } }));

beforeEach(() => {
  forked.children = [];
  forked.fork.mockReset().mockImplementation(() => {
    const child = new FakeUtility();
    forked.children.push(child);
    return child;
  });
});

const children = () => forked.children as FakeUtility[];

/** Both sides, joined as the engine child and main are. */
function joined() {
  const news: BindingTestNews[] = [];
  const tell = (message: BindingTestNews) => {
    news.push(message);
    child.hear(message);
  };
  const main: BindingTests = new BindingTests(tell, { PATH: '/bin' });
  const child: RemoteTests = new RemoteTests((order) => void main.take(order));
  return { main, child, news };
}

describe('tests of GPU builds', () => {
  it('run in main’s stead, and talk with who asked for them', () => {
    const { child } = joined();
    const test = child.fork();
    const heard: unknown[] = [];
    test.on('message', (message) => heard.push(message)).on('exit', (code) => heard.push(code));
    children()[0]?.emit('message', { type: 'ready' });
    test.postMessage({ type: 'start' });
    expect(children()[0]?.postMessage).toHaveBeenCalledWith({ type: 'start' });
    children()[0]?.emit('exit', 3);
    expect(heard).toEqual([{ type: 'ready' }, 3]);
  });

  it('start node-llama-cpp’s test and nothing else, whatever the child says', () => {
    const { main } = joined();
    const order = { bindingTest: 0, order: 'start', message: '/bin/sh', modulePath: '/bin/sh' };
    expect(main.take(order)).toBe(true);
    expect(forked.fork).not.toHaveBeenCalled();
    main.take({ bindingTest: 0, order: 'start', message: '/bin/sh' } satisfies BindingTestOrder);
    expect(forked.fork).toHaveBeenCalledOnce();
    expect(forked.fork.mock.calls[0]?.[0]).toMatch(
      /node-llama-cpp[/\\]dist[/\\]bindings[/\\]utils[/\\]testBindingBinary\.js$/,
    );
    expect(forked.fork.mock.calls[0]?.[1]).toEqual([]);
    expect(forked.fork.mock.calls[0]?.[2]).toHaveProperty('env', { PATH: '/bin', TEST_BINDING_CP: 'true' });
  });

  it('are few at a time', () => {
    const { child } = joined();
    for (let count = 0; count < 20; count++) child.fork();
    expect(children()).toHaveLength(4);
  });

  it('leave the engine’s own messages alone', () => {
    const { main } = joined();
    expect(main.take({ type: 'loaded' })).toBe(false);
    expect(main.take(null)).toBe(false);
  });

  it('end with the engine', () => {
    const { main, child } = joined();
    child.fork();
    main.close();
    expect(children()[0]?.kill).toHaveBeenCalled();
  });
});
