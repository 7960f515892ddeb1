import { describe, expect, it } from 'vitest';
import type { NodeStatus } from '../../../src-preload/contract/node.ts';
import { limitsOf } from '../../../src-renderer/state/limits.ts';
import { status } from '../../support/screens/sample-data.ts';

const kinds = (changes: Partial<NodeStatus>) => limitsOf({ ...status, ...changes }).map(({ kind }) => kind);

describe('what limits a node', () => {
  it('is nothing while all is well', () => expect(limitsOf(status)).toEqual([]));

  it('is its role on a node that serves nobody', () =>
    expect(kinds({ mining: undefined, peers: 0 })).toEqual(['role']));

  it('is only that mining is stopped, whatever else there is', () => {
    expect(kinds({ mining: { state: 'stopped' }, peers: 0 })).toEqual(['stopped']);
  });

  it('is the failure of the last start, with its sentence', () => {
    const error = { code: 'OUT_OF_MEMORY' as const, message: 'There is too little memory.' };
    const limits = limitsOf({ ...status, mining: { state: 'stopped', error } });
    expect(limits).toEqual([{ kind: 'startFailed', detail: 'There is too little memory.' }]);
  });

  it('names each rule of the load policy that is met, those that pause first', () => {
    const reasons = [
      { rule: 'user', text: 'The computer is in use.' },
      { rule: 'battery', text: 'The computer runs on its battery.' },
    ];
    const limits = limitsOf({ ...status, policy: { mode: 'paused', reasons, rules: status.policy?.rules ?? [] } });
    expect(limits.map(({ kind, rule }) => [kind, rule])).toEqual([
      ['paused', 'battery'],
      ['slowed', 'user'],
    ]);
  });

  it('is an engine that does not run', () => {
    const engine = { state: 'broken' as const, error: 'It crashed.', active: 0, waiting: 0 };
    expect(limitsOf({ ...status, engine })).toEqual([{ kind: 'engineBroken', detail: 'It crashed.' }]);
    expect(kinds({ engine: { ...engine, state: 'restarting' } })).toEqual(['engineRestarting']);
  });

  it('is poor health: refusing, or a queue that is less than half open', () => {
    const health = status.health ?? expect.fail('The sample has no health.');
    const refusing = { ...health, capacity: 0, accepting: false, reason: 'This node is overloaded.' };
    expect(limitsOf({ ...status, health: refusing })).toEqual([
      { kind: 'refusing', detail: 'This node is overloaded.' },
    ]);
    expect(kinds({ health: { ...health, capacity: 40 } })).toEqual(['busy']);
    expect(kinds({ health: { ...health, capacity: 60 } })).toEqual([]);
  });

  it('is that nobody is connected, beside others', () => {
    const engine = { state: 'restarting' as const, active: 0, waiting: 0 };
    expect(kinds({ peers: 0, engine })).toEqual(['engineRestarting', 'noPeers']);
  });
});
