/** What main says about: book. */
export const book = {
  'ask.closing': 'The node is closing.',
  'ask.noConversation': 'There is no such conversation.',
  'ask.answering': 'An answer is still coming in this conversation.',
  'ask.waitOrStop': 'Wait for its end, or stop it.',
  'ask.nothingAsked': 'Nothing was asked in this conversation yet.',
  'ask.full': 'This conversation is full.',
  'ask.beginNew': 'Begin a new one.',
  'ask.tooMany': 'There are {{most}} conversations already.',
  'ask.removeOld': 'Remove some of the old ones first.',
  'credits.short': 'The request may cost {{cost}} credits; {{balance}} are left.',
  'credits.askLess': 'Ask for at most {{most}} tokens, or earn credits by serving requests.',
  'credits.refill': '{{refill}} credits are added every day. Serving requests earns more.',
  'credits.newcomers': 'The worker has met {{perHour}} new clients within an hour and takes no more for now.',
  'credits.idTaken': 'This request id was used before.',
  'credits.newId': 'Choose a new random id for every request.',
  'credits.void': 'The receipt is void: {{why}}.',
  'credits.refused': 'The worker’s receipt does not hold: {{why}}.',
  'credits.damagedMore': 'The ledger is damaged: {{problem}} (and {{more}} more problems).',
  'credits.damaged': 'The ledger is damaged: {{problem}}.',
  'credits.restore':
    '`quarry credits rebuild` cannot mend the journal itself: restore quarry.db from a backup (docs/credits.md, Repair).',
  'database.full': 'The database {{path}} cannot be written: the disk is full or failing ({{code}}).',
  'database.free':
    'Free some space on that drive, or choose another folder with --data, then start again. Nothing was lost.',
  'database.readOnly': 'The database {{path}} cannot be opened for writing ({{code}}).',
  'database.permissions': 'Check the folder’s permissions, or choose another with --data.',
  'database.damaged': 'The database {{path}} is damaged ({{detail}}).',
  'database.restore':
    'Restore it from a backup, or move it (with its -wal and -shm files) aside and start again with an empty one.',
  'database.closed': 'The ledger is closed.',
  'database.identity': 'The identity file {{path}} is damaged: {{why}}.',
  'database.newIdentity':
    'Restore it from a backup. To start over with a new identity (its credits are lost), move the file aside.',
  'database.newer':
    'The database {{place}} was last used by a newer Quarry: this one does not know its change «{{name}}».',
  'database.update':
    'Update Quarry, or start it with a backup of the database from before that update. Nothing was changed.',
} as const;
