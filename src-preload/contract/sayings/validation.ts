/** What main says about: challenges of validators, what is kept of them, and weights. */
export const validation = {
  'validation.noEnvironment': 'There is no task «{{name}}».',
  'validation.environments': 'There are: {{names}}.',
  'validation.noLevel': 'None of these tasks has a level «{{level}}».',
  'validation.levels': 'There are: {{levels}}.',
  'validation.noPreset': 'There are no constants of «{{name}}».',
  'validation.presets': 'There are: {{names}}.',
  'validation.tooManyEnvironments': 'Weights are made of {{most}} tasks at most, and there are {{count}}.',
  'validation.nameEnvironments': 'Name up to {{most}} that count: «quarry validator weights --environment sat».',
  'validation.noResult': 'There is no result with the number {{id}}.',
  'validation.noMiner': 'There is no miner «{{name}}» with an address of its own.',
  'validation.hotkey.noMiner':
    'There is no miner «{{name}}»: neither one with an address of its own, nor is it the id of a worker of the mesh.',
  'validation.hotkey.taken': 'This hotkey stands for «{{miner}}» already.',
  'validation.hotkey.takeAway': 'One hotkey stands for one miner. Take it away there first.',
  'validation.endpoint.silent': 'It did not answer within {{seconds, second|seconds}}.',
  'validation.endpoint.wrong':
    'The address of the miner «{{name}}» is none that can be asked: change it, or remove the miner. The others are asked.',
  'validation.axon.failed': 'The axon did not answer: {{status}} {{message}}',
  'validation.axon.noWallet': 'Axons are asked by a hotkey, and none is set.',
  'validation.axon.setWallet': 'Set validator.wallet and validator.hotkey, or take validator.netuid away.',
  'validation.weights.tooFew': 'Nobody on the subnet has enough results yet: no weights are set.',
  'validation.weights.off': 'No weights are set: the setting says so.',
  'validation.weights.noSubnet': 'Weights are set on a subnet, and none is chosen.',
  'validation.weights.noWallet': 'Weights are set by a hotkey, and none is chosen.',
  'validation.weights.noSigner': 'The signer’s address and what it wants to be told are not both set.',
  'validation.weights.setThem':
    'Set validator.setWeights, validator.netuid, and validator.wallet with validator.hotkey, or validator.signerUrl with validator.signerToken.',
  'validation.why.notEligible': 'It has too few results to take part.',
  'validation.why.copy':
    'It names the same model as {{miner}}, which committed first: of several that do, only the first has a weight.',
  'validation.why.missing': '{{environment}}: {{results, more result is|more results are}} needed.',
  'validation.why.alone': 'There is nobody else to be compared with.',
  'validation.why.won': 'It wins {{environments}}: there it dominates {{dominated}} of {{others, other|others}}.',
  'validation.why.shared': 'In {{environments}} nobody dominates it: of what all such share, it has {{percent}} %.',
  'validation.why.wonSets': 'It wins {{won}} of the {{all}} sets of {{size}} tasks.',
  'validation.why.sharedSets':
    'In {{shared}} of the {{all}} sets of {{size}} tasks nobody dominates it: it shares what they are worth.',
  'validation.why.bothSets':
    'Of the {{all}} sets of {{size}} tasks it wins {{won}}, and shares what {{shared}} are worth.',
  'validation.why.wonSingles': 'Of the tasks alone it wins {{won}}.',
  'validation.why.sharedSingles':
    'Of the tasks alone it shares what these are worth, where nobody dominates it: {{shared}}.',
  'validation.why.bothSingles': 'Of the tasks alone it wins {{won}}, and shares what these are worth: {{shared}}.',
  'validation.why.wonNothing': 'It wins in no set of tasks: these are won by {{winners}}.',
  'validation.why.bestOfAll': 'Nobody has enough results; the best of all has everything meanwhile.',
  'validation.why.nobody':
    'Nobody has enough results; the best of all has everything meanwhile, and this one is not it.',
  'validation.why.part': '{{environment}} counts {{share}} % of all, and of its means this one has {{percent}} %.',
  'validation.why.noPart': 'Its means are not above 0, and so it has nothing.',
  'validation.why.lies': '{{environment}}: it was shown to lie too often, and has nothing there.',
  'validation.why.burnt': '{{percent}} % of all goes to nobody.',
  'validation.replay.same': 'As it was signed: the same challenge, and the same judgement.',
  'validation.replay.forged': 'It is not as it was signed: something was changed, or the signature is another’s.',
  'validation.replay.gone':
    'It was asked by a version of the task, or out of rows of a data set, that this Quarry does not have.',
  'validation.mesh.noProbes':
    'Workers of the mesh take no bare tokens: whether they compute with the model that they declare, audits of the mesh look at.',
  'validation.mesh.notReady': 'This worker of the mesh is not ready for questions in words.',
  'validation.endpoint.noClips': 'Servers at an address of their own hand in no clips: axons of a subnet do.',
  'validation.practice.noClips':
    'A language model hands in no clips: what own ones are worth is told on the page «Data».',
  'validation.replay.cut':
    'The signature is genuine, and it is the same challenge. Only the beginning of the answer was kept, {{kept}} of {{length}} characters: it cannot be judged again.',
  'validation.replay.otherwise':
    'The signature is genuine, but the challenge or the judgement is another one now: the task has changed without a new version.',
} as const;
