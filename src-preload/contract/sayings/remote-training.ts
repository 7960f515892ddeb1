/** What main says about: training on another of the owner's nodes. */
export const remoteTraining = {
  'remoteTraining.notAllowed': '{{node}} does not train for other nodes.',
  'remoteTraining.allowThere': 'It is allowed in its settings, under learning.',
  'remoteTraining.noModel': '{{node}} does not have this very model file.',
  'remoteTraining.downloadThere': 'Download the same file there.',
  'remoteTraining.noTime': '{{node}} has no time to train now: {{why}}',
  'remoteTraining.busy': '{{node}} is training already.',
  'remoteTraining.doesNotFit':
    'This does not fit {{node}}: it takes {{wants, bytes}} of memory, and {{has, bytes}} may be used there.',
  'remoteTraining.fits': 'A lower rank or fewer layers take less.',
  'remoteTraining.failed': '{{node}} could not do it: {{why}}',
  'remoteTraining.failedLog': '{{node}} could not do it; its log says why.',
  'remoteTraining.lost': '{{node}} went away while it trained, or ended that. It goes on from what was saved last.',
  'remoteTraining.stuck': '{{node}} did not get on for too long. It goes on from what was saved last.',
  'remoteTraining.silent': 'The other node stopped sending what it had promised.',
  'remoteTraining.notUnderstood':
    '{{node}} does not understand this node ({{why}}); they may be of different versions.',
  'remoteTraining.nonsense': 'This node does not understand {{node}} ({{why}}); they may be of different versions.',
  'remoteTraining.noFiles': '{{node}} saved no adapter.',
  'remoteTraining.closed': 'The training was ended.',
  'remoteTraining.tooMuch': 'These are more samples than one step on another node may have.',
} as const;
