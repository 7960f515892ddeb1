/** What the node's server, and the screens on the way to it, say to people about: login. */
export const login = {
  'login.wrongToken': 'This is not the token of this node.',
  'login.byLink':
    'This node has no token to log in with. The command «quarry open» makes a link that opens it in a browser.',
  'login.noServer': 'No node with screens is running here.',
  'login.startFirst': 'Start one: quarry start --headless. If one runs on another data folder, name that with --data.',
  'login.tooMany': 'There were too many wrong tokens. Try again in {{seconds}} s.',
  'login.localOnly': 'This server answers to localhost only.',
  'login.otherOrigin': 'Web pages of other origins may not use this server.',
  'login.overheard': 'Others on the network could read words of keys and passwords on this connection.',
  'login.confidential':
    'Open Quarry on that computer, over HTTPS or through SSH: ssh -L 7070:127.0.0.1:7070 and then «quarry open».',
  'login.answered': 'The server answered {{status}}.',
  'login.connectionLost': 'The connection to Quarry is lost.',
} as const;
