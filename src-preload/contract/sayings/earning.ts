/** What main says about: what a node earns, why not more, and what it would with another model. Each reason is what happened, and what that means. */
export const earning = {
  'earning.time.minutes': '{{minutes}} min',
  'earning.time.hours': '{{hours}} h {{minutes}} min',
  'earning.slow': 'Answers took {{seconds, tenths}} seconds on average',
  'earning.slow.late': '{{late}} of {{answers, answer|answers}} took 5 seconds or longer',
  'earning.slow.why':
    'The faster, the more points: in half the time these answers bring {{points, point|points}} more.',
  'earning.slow.lateWhy':
    'From 5 seconds on there are no points for speed. In half the time these answers bring {{points, point|points}} more.',
  'earning.pausedFor': 'Paused for {{time}}: {{why}}',
  'earning.paused': 'Paused for {{time}}',
  'earning.paused.why': 'Your rule pauses mining meanwhile.',
  'earning.throttledFor': 'Slowed for {{time}}: {{why}}',
  'earning.throttled': 'Slowed for {{time}}',
  'earning.throttled.why': 'Your rule slows mining meanwhile.',
  'earning.stopped': 'Mining was stopped for {{time}}',
  'earning.stopped.why': 'Nothing is earned until it is started.',
  'earning.failed': 'The engine did not run for {{time}}',
  'earning.failed.why': 'The log says what went wrong.',
  'earning.refusing': 'Not accepting for {{time}}: other programs needed the processor or the memory',
  'earning.refusing.why': 'Your rule leaves the computer to them meanwhile.',
  'earning.alone': 'No peers for {{time}}',
  'earning.alone.why': 'Without a connection no request can reach this computer.',
  'earning.off': 'Quarry did not run for {{time}}',
  'earning.off.why': 'It can start by itself when you log in.',
  'earning.penalties': '{{count, answer|answers}} failed here',
  'earning.penalties.why': 'Each failure costs a point.',
  'earning.busy': '{{count, request was|requests were}} refused because there was no room',
  'earning.busy.why':
    'A faster model, or more requests at a time, takes more of them. An answer brings {{points, tenths}} points on average.',
  'earning.busy.tooFew': 'How many points that cost is not known yet: there were too few answers.',
  'earning.pairCap': '{{count, answer|answers}} did not count',
  'earning.pairCap.why': 'Only the first {{most}} answers a day to the same asker bring points.',
  'earning.unsigned': '{{count, answer is|answers are}} not signed yet',
  'earning.unsigned.why': 'The points arrive when the askers confirm.',
  'earning.tooFew': '{{why}} How many points that cost is not known yet: there were too few answers.',
  'earning.forecast.receipts':
    'About {{points, point|points}} a day with this model, if it serves {{hours, tenths}} hours a day as in the last week.',
  'earning.forecast.estimate':
    'About {{points, point|points}} a day with this model, if {{answers, answer|answers}} a day like the last ones are asked for.',
} as const;
