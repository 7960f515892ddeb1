import { expect, it } from 'vitest';
import { walledArguments } from '../../../../../src-main/sandbox/container-arguments.ts';
import { FETCH_WALLS } from '../../../../../src-main/subnets/quasar/gpu/fetch-repository.ts';
import { CARD_WALLS } from '../../../../../src-main/subnets/quasar/gpu/gpu-container.ts';

const line = (walls: readonly string[]) =>
  walledArguments({ name: 'one', image: 'sha256:abc', seconds: 9, walls, command: ['true'] }).join(' ');
const EVERYWHERE = [
  '--read-only',
  '--cap-drop ALL',
  '--security-opt no-new-privileges',
  '--user 65534:65534',
  '--pull never',
  '--rm',
  '--log-driver none',
  '--entrypoint timeout sha256:abc -s KILL 9 true',
];
const NOWHERE = /--(volume|mount|publish|privileged|cap-add|pid|env-file)\b|docker\.sock/;

it('where a repository is judged there is one card, and no network', () => {
  for (const wall of [...EVERYWHERE, '--network none', '--gpus device=0', '--memory 16g --memory-swap 16g', '--cpus 2'])
    expect(line(CARD_WALLS)).toContain(wall);
  expect(line(CARD_WALLS)).not.toMatch(NOWHERE);
});

it('where it is fetched there is a network, and no card; git speaks https alone, and reads nobody’s settings', () => {
  const walls = [
    '--network bridge',
    '--env GIT_ALLOW_PROTOCOL=https',
    '--env GIT_CONFIG_GLOBAL=/dev/null',
    '--memory 1g',
  ];
  for (const wall of [...EVERYWHERE, ...walls, 'noexec', 'size=256m']) expect(line(FETCH_WALLS)).toContain(wall);
  expect(line(FETCH_WALLS)).not.toMatch(NOWHERE);
  expect(line(FETCH_WALLS)).not.toContain('--gpus');
});
