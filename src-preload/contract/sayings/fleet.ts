/** What main says about: fleet, the nodes of one owner. */
export const fleet = {
  'fleet.full': 'This node is paired with {{most}} others already: that is the most it can.',
  'fleet.removeOne': 'Remove one first.',
  'fleet.code.short': 'A part of the code is missing: it has 24 characters.',
  'fleet.code.long': 'The code is too long: it has 24 characters.',
  'fleet.code.character': 'The code has a character that no code has.',
  'fleet.code.typo': 'There is a typing mistake in the code.',
  'fleet.ownCode': 'This is the code that this node shows itself.',
  'fleet.enterThere': 'Enter it at the other node.',
  'fleet.joinCancelled': 'The search for the other node was cancelled.',
  'fleet.nobodyThere': 'No node shows this code now.',
  'fleet.checkBoth': 'A code is good for ten minutes and one node. Both nodes have to be online, and on the same mesh.',
  'fleet.codeUsed': 'This code was used before, or is older than ten minutes.',
  'fleet.newCode': 'Make a new one there.',
  'fleet.otherFull': 'The other node is paired with as many nodes as it can be.',
  'fleet.removeThere': 'Remove one there first.',
  'fleet.notAllowed': '{{name}} does not let this node start and stop mining.',
  'fleet.allowThere':
    'It is allowed there: under My nodes, choose this node and switch it on, or in a terminal: quarry my-nodes allow {{id}}',
  'fleet.away': '{{name}} is not connected, or does not answer.',
  'fleet.noMiner': '{{name}} is no miner: there is nothing to start or stop.',
} as const;
