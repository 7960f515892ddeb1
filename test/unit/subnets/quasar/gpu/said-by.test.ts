import { expect, it } from 'vitest';
import { saidBy } from '../../../../../src-main/subnets/quasar/gpu/judge-program.ts';

const times = Array.from({ length: 20 }, () => 1.5);
const said = (stdout: string, late = false) => saidBy({ stdout, late }, 's3cret');

it('is believed only on the line that begins with the secret, and only in the shape that it has to have', () => {
  expect(said(`noise\ns3cret ${JSON.stringify({ times })}\n{"times":[]}`)).toEqual({ times });
  expect(said('s3cret {"fault":"wrong","detail":"usual"}')).toEqual({ fault: 'wrong', detail: 'usual' });
});

it.each([
  ['no secret', JSON.stringify({ times })],
  ['another secret', `secret ${JSON.stringify({ times })}`],
  ['too few times', 's3cret {"times":[1]}'],
  ['times of nothing', `s3cret ${JSON.stringify({ times: times.map(() => 0) })}`],
  ['no numbers', `s3cret ${JSON.stringify({ times: times.map(String) })}`],
  ['more than it should have', `s3cret ${JSON.stringify({ times, right: true })}`],
  ['a fault that there is not', 's3cret {"fault":"slow","detail":""}'],
  ['a detail without end', `s3cret ${JSON.stringify({ fault: 'wrong', detail: 'x'.repeat(301) })}`],
  ['no JSON', 's3cret {'],
])('what has %s is nobody’s word: the container died', (_, stdout) => {
  expect(said(stdout)).toEqual({ fault: 'died', detail: '' });
  expect(said(stdout, true)).toEqual({ fault: 'late', detail: '' });
});
