import { expect, it, vi } from 'vitest';
import { IdleConditions } from '../../../../src-main/app/learning/conditions.ts';
import { ListenerSet } from '../../../../src-main/base/listener-set.ts';
import type { PolicyDecision } from '../../../../src-main/hardware/policy.ts';
import { say, told } from '../../../../src-preload/contract/saying.ts';
import { until } from '../../../support/until.ts';

it('has time while nothing speaks against it, and a while after the last answer', () => {
  let [now, served] = [0, 0];
  const conditions = new IdleConditions({ policy: undefined, served: () => served, asked: () => 0, now: () => now });
  expect(conditions.against()).toEqual([]);
  served = 1;
  expect(conditions.against()).toEqual([{ key: 'learning.serving' }]);
  [now, served] = [19_999, 0];
  expect(conditions.against()).toEqual([{ key: 'learning.serving' }]);
  now = 20_000;
  expect(conditions.against()).toEqual([]);
});

it('knows of answers that were over before it looked', () => {
  let [now, asked] = [0, 3];
  const conditions = new IdleConditions({ policy: undefined, served: () => 0, asked: () => asked, now: () => now });
  expect(conditions.against()).toEqual([]);
  [now, asked] = [1_000, 4];
  expect(conditions.against()).toEqual([{ key: 'learning.serving' }]);
  now = 21_000;
  expect(conditions.against()).toEqual([]);
});

it('says what the load policy says, and tells of it and of who is served', async () => {
  const listeners = new ListenerSet<[decision: PolicyDecision]>();
  let reasons: PolicyDecision['reasons'] = [];
  let served = 0;
  const policy = {
    current: () => ({ mode: 'full' as const, reasons, rules: [], hot: false }),
    subscribe: (told: (decision: PolicyDecision) => void) => listeners.subscribe(told),
  };
  const conditions = new IdleConditions({ policy, served: () => served, asked: () => 0, lookEveryMs: 1 });
  const listener = vi.fn();
  const end = conditions.subscribe(listener);
  reasons = [{ rule: 'battery', ...told({ text: say('policy.battery.met') }) }];
  listeners.tell(policy.current());
  expect(listener).toHaveBeenCalledTimes(1);
  expect(conditions.against()).toEqual([{ key: 'learning.policy', params: { reason: { key: 'policy.battery.met' } } }]);
  served = 1;
  await until(() => expect(listener).toHaveBeenCalledTimes(2));
  end();
  listeners.tell(policy.current());
  expect(listener).toHaveBeenCalledTimes(2);
});
