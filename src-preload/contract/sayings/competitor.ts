/** What main says about: taking part in competitions. */
export const competitor = {
  'competitor.said.BAD_REQUEST': 'The competition’s server did not understand this: {{reason}}',
  'competitor.said.MISMATCH': 'What was revealed is not what was committed to: {{reason}}',
  'competitor.said.UNAUTHORIZED': 'The competition’s server did not take the signature: {{reason}}',
  'competitor.said.FORBIDDEN': 'The competition’s server does not allow this: {{reason}}',
  'competitor.said.BANNED': 'The competition’s server takes nothing from this address for now: {{reason}}',
  'competitor.said.NOT_FOUND': 'The competition’s server does not have this: {{reason}}',
  'competitor.said.CONFLICT': 'This does not fit how things stand at the competition: {{reason}}',
  'competitor.said.TOO_LARGE': 'This is too large for the competition’s server: {{reason}}',
  'competitor.said.TOO_EARLY': 'It is too early to reveal: {{reason}}',
  'competitor.said.RATE_LIMIT': 'Too much at once for the competition’s server: {{reason}}',
  'competitor.said.FULL': 'The competition takes no more submissions: {{reason}}',
  'competitor.said.UNAVAILABLE': 'The competition’s server cannot do this right now: {{reason}}',
  'competitor.said.INTERNAL': 'Something went wrong at the competition’s server: {{reason}}',
  'competitor.unreachable': 'The competition’s server {{host}} does not answer.',
  'competitor.later': 'Check the address if this stays.',
  'competitor.nonsense': 'The competition’s server {{host}} gave an answer that makes no sense: {{what}}',
  'competitor.clock': 'The clock of this computer, or of the server, is wrong: set it.',
  'competitor.notSafe':
    '{{url}} is no address of a competition’s server: it has to be https://…, or http:// on this computer.',
  'competitor.notSet': 'No server of a competition is set.',
  'competitor.notSet.hint':
    'Set its address on the page «Competitions», or in the settings under «All»: look for «competitor».',
  'competitor.noWallet': 'No wallet is set that signs what a competition is asked.',
  'competitor.noWallet.hint': 'Set one in the settings under «All»: look for «competitor».',
  'competitor.otherKey': 'At {{host}} answers another server than the one that is meant: its key is {{key}}.',
  'competitor.otherSubmission': 'The server {{host}} told of another submission than the one that was asked for.',
  'competitor.otherReceipt': 'The server’s receipt is not right: its signature does not fit what it says.',
  'competitor.changedReceipt': 'The server gave another receipt than the one that it signed before.',
  'competitor.changedReceipt.hint': 'The first one is kept: with it you can show when you committed to what.',
  'competitor.otherArtefact': 'The server gave another artefact than the one that was asked for.',
  'competitor.unknownEntry': 'There is no such submission on this computer.',
  'competitor.notHere': 'The file is not here yet, or not all of it.',
  'competitor.otherBytes': 'What came is not the file that was announced.',
  'competitor.fileGone': 'The file of this submission is no longer here, or was changed: it cannot be revealed.',
  'competitor.roundOver': 'Round {{round}} has ended since this was prepared; round {{now}} is open.',
  'competitor.roundOver.hint': 'Nothing was sent. Prepare it again: it then counts in the round that is open.',
  'competitor.notCommitted': 'There is nothing to reveal: it is {{state}}.',
  'competitor.cannotForget': 'It is not over yet: who forgets its file and its salt cannot reveal it any more.',
  'competitor.cannotForget.hint': 'Wait until its round has ended.',
  'competitor.noRound': 'No round has ended yet.',
  'competitor.draft.commitment':
    'Now: a fingerprint (SHA-256) of file, aim, round and a secret number goes to {{host}}. Nobody can read the code from it.',
  'competitor.draft.code':
    'From {{blocks, block|blocks}} later on, about {{minutes, minute|minutes}}: the file «{{name}}» itself ({{bytes, bytes}}) is sent there.',
  'competitor.draft.public':
    'When round {{round}} has ended, everybody can fetch the code, and see that it is from {{hotkey}}.',
  'competitor.draft.repository':
    'The file names the repository and the commit. From then on everybody has to be able to fetch that commit, and whoever fetched it may keep it.',
  'competitor.draft.hotkey': 'It is signed by the hotkey {{hotkey}} of the wallet {{wallet}}: {{address}}.',
  'competitor.draft.baseline': 'These are the bytes of the baseline: they cannot be faster than themselves.',
  'competitor.draft.repeated':
    'The same bytes were submitted in this league and round already, as {{id}}: they do not count twice.',
  'competitor.draft.copied':
    'The same bytes were submitted by {{hotkey}} before: under another hotkey they count as a copy.',
  'competitor.draft.late':
    'The last block in which it could still be revealed in round {{round}} has passed: it will count in the next one.',
  'competitor.missing.confirm':
    'It was not sent: nothing has left this computer. Submit the file again, or forget this.',
  'competitor.missing.commit': 'The server has not confirmed the commitment yet.',
  'competitor.missing.reveal':
    'It has to be revealed, in {{blocks, block|blocks}} or later. Leave the node running: it does so by itself.',
  'competitor.missing.revealNow': 'It can be revealed now. A running node does so by itself.',
  'competitor.missing.byHand': 'It has to be revealed by hand: the node does not do so by itself, as it is set.',
  'competitor.missing.judge': 'The server has to judge it.',
  'competitor.missing.end': 'The round has to end: then the places are known.',
  'competitor.reason.missed': 'It was not revealed before its round ended. It does not count.',
  'competitor.reason.copied': 'Another hotkey had committed to the same bytes before. It does not count.',
  'competitor.reason.repeated':
    'The same bytes were submitted in this league and round before. It does not count twice.',
  'competitor.reason.wrong': 'It was found wrong ({{fault}}).',
  'competitor.reason.faster':
    'It is right, and {{times, thousandths}} times as fast as the baseline (95 %: {{low, thousandths}} to {{high, thousandths}}).',
  'competitor.reason.notFaster':
    'It is right, but not clearly faster than the baseline: {{times, thousandths}} times (95 %: {{low, thousandths}} to {{high, thousandths}}). Only what is surely above 1.02 has a place.',
  'competitor.check.signature': 'The record of round {{round}} is signed by {{server}}.',
  'competitor.check.seed': 'The round’s seed is the one that was published as a hash when the round opened.',
  'competitor.check.commitments': 'What was revealed is what was committed to: {{count, submission|submissions}}.',
  'competitor.check.blocks': 'Nothing was revealed before its block, and nothing after the round had closed.',
  'competitor.check.copies': 'Copies are those that the order of commitments makes copies.',
  'competitor.check.ranking': 'The places follow from what was measured.',
  'competitor.check.shares': 'The shares follow from the places.',
  'competitor.check.board': 'The leader board says the same as the record.',
  'competitor.check.previous':
    'The record names the record of the round before, and begins with what that left: its winner as the baseline, whose bytes are whose, and what was carried over.',
  'competitor.check.own': 'Own submissions are in it as their receipts say: {{count, submission|submissions}}.',
  'competitor.check.same': 'Judged again here: {{submission}} agrees with the record; here it is {{here}}.',
  'competitor.check.differs':
    'Judged again here: {{submission}} is right, and of another speed than the record says ({{here}} times the baseline), as may be on another machine.',
  'competitor.check.contradicts': 'Judged again here: {{submission}} is not what the record says ({{here}}).',
  'competitor.check.notJudged': '{{submission}} could not be judged again: {{why}}',
  'competitor.check.notHere':
    '{{submission}} could not be judged again on this machine, which says nothing about it: {{why}}',
  'competitor.check.isWrong': '{{check}} – It is not so: {{detail}}',
  'competitor.wrong': 'This would be worth nothing. {{reason}}',
} as const;
