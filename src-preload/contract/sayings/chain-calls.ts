/** What main says about: calls to Bittensor's chain, before and after they are sent. */
export const chainCalls = {
  'chainCalls.noAmount': 'The amount has to be more than nothing.',
  'chainCalls.tooMuch': 'This number is larger than the chain can hold.',
  'chainCalls.nothingToSay': 'There is nothing in it to be said.',
  'chainCalls.blocksToWait': 'It can be done in {{blocks, block|blocks}}, of which there is one every 12 seconds.',
  'chainCalls.draftGone':
    'This was left for longer than ten minutes. Begin again; what was sent is in the list of calls.',
  'chainCalls.nowOtherwise':
    'Things have changed since this was shown. Nothing was signed: begin again, and look at it anew.',
  'chainCalls.tooPoor': 'There is not enough TAO on {{account}} for this and its fee. Nothing was signed.',
  'chainCalls.notTyped': 'This is not what has to be typed.',
  'chainCalls.warning.tooPoor': 'There is not enough on this account: the chain will refuse it.',
  'chainCalls.warning.newPayee':
    'Nothing was ever sent to this address from here. What goes to a wrong address is lost: compare all of it.',
  'chainCalls.warning.sameAccount': 'This is the same account: what is sent comes back to it, and the fee is lost.',
  'chainCalls.warning.mayComeTwice':
    'The same was sent a while ago, and it is not certain that it never comes about: it may happen twice.',
  'chainCalls.warning.mostOfIt': 'This is more than half of what can be spent.',
  'chainCalls.warning.registrationIsSpent':
    'What it costs is spent and not given back. A neuron that does worse than the others loses its place again.',
  'chainCalls.warning.slippage':
    '{{percent}} % of it is lost on the way: the amount is large for this subnet’s pool. Several smaller ones lose less.',
  'chainCalls.warning.tolerance':
    'Up to {{percent}} % may be lost to a price that changes before this is done: somebody may see to it that it does.',
  'chainCalls.warning.insideAddress': 'Others cannot reach this address: it is one of a private network.',
  'chainCalls.warning.revealByHand':
    'These weights count only once they are revealed, in a later epoch and not after it. Quarry keeps them until then.',
  'chainCalls.movesNowhere': 'The stake would stay where it is: say another hotkey, or another subnet.',
  'chainCalls.movesTwice':
    'The chain holds no move to a price that changes hotkey and subnet at once. Move it twice: first to the subnet.',
  'chainCalls.movesPrice':
    'This amount alone moves the price by more than the tolerance of {{percent}} %: the chain would refuse it.',
  'chainCalls.toleranceNeeded': 'It takes less of it, or a tolerance of at least {{percent}} %.',
  'chainCalls.lessStaked':
    'There is not so much staked: with this hotkey, this wallet has {{staked}} on subnet {{netuid}}.',
  'chainCalls.noWeight': 'All of these weights are 0. At least one has to be more.',
  'chainCalls.noNeuron': 'Subnet {{netuid}} has no neuron {{uid}}: its last one is {{last}}.',
  'chainCalls.fewWeights': 'This subnet wants weights for {{least}} neurons or more; these are for {{given}}.',
  'chainCalls.largeWeight': 'One neuron gets {{percent}} % of all weight; this subnet allows {{most}} %.',
  'chainCalls.warning.feeInAlpha': 'There is not enough TAO for the fee: the chain takes it from the alpha.',
} as const;
