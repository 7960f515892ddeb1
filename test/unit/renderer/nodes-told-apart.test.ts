import { expect, it } from 'vitest';
import { toldApart } from '../../../src-renderer/pages/network/nodes/told-apart.ts';

it('only nodes that share a name get a part of their fingerprint', () => {
  const node = (id: string, name: string) => ({
    id,
    name,
    self: false,
    online: true,
    mayControlThis: false,
    controllable: false,
  });
  const nodes = [node('c0a4d355', 'vm'), node('77bb0000', 'vm'), node('12340000', 'desk')];
  expect(toldApart(nodes).map(({ name }) => name)).toEqual(['vm · c0a4', 'vm · 77bb', 'desk']);
});
