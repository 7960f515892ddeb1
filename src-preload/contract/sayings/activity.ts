/** What main says about: when a miner does not serve at full speed, in the few words that a chart has room for. */
export const activity = {
  'activity.paused': 'Paused',
  'activity.pausedFor': 'Paused: {{why}}',
  'activity.throttled': 'Slowed',
  'activity.throttledFor': 'Slowed: {{why}}',
  'activity.stopped': 'Stopped',
  'activity.failed': 'Engine failed',
  'activity.refusing': 'Not accepting',
  'activity.alone': 'Waiting for peers',
  'activity.off': 'Off',
  'activity.rule.battery': 'on battery',
  'activity.rule.user': 'computer in use',
  'activity.rule.gpu': 'GPU in use',
  'activity.rule.heat': 'too hot',
  'activity.rule.quiet-hours': 'quiet hours',
} as const;
