/** What main says about: clips that miners hand in, what they are worth, and what came of looking at them. */
export const clipValidation = {
  'clipValidation.unreadable.list': 'What came is no list of clips.',
  'clipValidation.unreadable.tooMany': 'The list has more entries than are read.',
  'clipValidation.unreadable.entry': 'Entry {{entry}} lacks something, or has it in another shape.',
  'clipValidation.unreadable.vector': 'A vector of entry {{entry}} is no list of finite numbers, or has no direction.',
  'clipValidation.unreadable.turns': 'What entry {{entry}} says of who speaks cannot be read.',
  'clipValidation.none': 'Nothing was handed in.',
  'clipValidation.noneCounts': 'None of what was handed in counts.',
  'clipValidation.judged': 'Of {{clips, clip|clips}} {{counted}} count: {{score}}.',
  'clipValidation.listened':
    '{{judged}} Number {{clip}} was listened to: error in who speaks {{error}}, quality {{quality}}.',
  'clipValidation.unseen': '{{judged}} Number {{clip}} was to be looked at and was not: {{why}}',
  'clipValidation.unheard':
    '{{judged}} Number {{clip}} was to be listened to and was not, so that who speaks in it counts nothing: {{why}}',
  'clipValidation.owed':
    'Several of this miner’s clips could not be fetched or were other ones, while those of others were right. Until one is, none counts: {{why}}',
  'clipValidation.unseen.gone':
    'Its source says that it is not there, or gives less of it than it says; or it is no video, or larger than anybody fetches.',
  'clipValidation.unseen.blocked': 'This node could not fetch it, which says nothing of the miner.',
  'clipValidation.unseen.licence': 'Its source says that it may not be used.',
  'clipValidation.differs':
    'Number {{clip}} was looked at, and is not what is said of it. Its server may have other bytes for each who asks, so that proves no lie; nothing of this answer counts. {{why}}',
  'clipValidation.changed':
    'Number {{clip}} was looked at, and is not what is said of it. Its file was changed in the last {{days}} days, perhaps after the clip was made, so that proves no lie; nothing of this answer counts. {{why}}',
  'clipValidation.lie': 'Number {{clip}} was looked at, and is not what is said of it. {{why}}',
  'clipValidation.lie.seen': 'Its picture is another one: cosine {{cosine}}, and {{least}} is the least.',
  'clipValidation.lie.heard': 'Its sound is another one: cosine {{cosine}}, and {{least}} is the least.',
  'clipValidation.lie.noSound': 'It has no sound.',
  'clipValidation.lie.hasSound': 'It has sound, and is said to have none.',
  'clipValidation.lie.bent': 'Its vectors lean to the words further than the clip does.',
  'clipValidation.lie.end': 'Its video ends before second {{seconds}}.',
  'clipValidation.lie.tooLong':
    'It begins so long after a key frame that no clip can be cut there which is no longer than 120 seconds.',
  'clipValidation.uncounted.length': 'It is shorter than 5 seconds, or longer than 120.',
  'clipValidation.uncounted.soundLength': 'It is shorter than 45 seconds, or longer than 80.',
  'clipValidation.uncounted.tooMany': 'No more than the first ones count.',
  'clipValidation.uncounted.stuffed': 'Its description is made long with what it is not about.',
  'clipValidation.uncounted.repeated': 'It is as good as another one of the same answer.',
  'clipValidation.uncounted.known': 'It is as good as one that was handed in before.',
  'clipValidation.uncounted.space': 'Its vectors are not of the models by which it is judged: {{space}}.',
  'clipValidation.uncounted.licence': 'Its licence does not let a clip of it be passed on, or is not named.',
  'clipValidation.uncounted.own':
    'It lies in a folder of its owner, where no validator can look at it: it does not count.',
  'clipValidation.uncounted.reach':
    'It is where this node cannot look at it: from a source that is not asked, or later than five minutes into its video.',
  'clipValidation.looks.none': 'No clip of a miner has been looked at yet.',
  'clipValidation.looks':
    'Of the last {{all}} looks at clips of miners {{unfetched}} came to nothing: they could not be fetched.',
  'clipValidation.looks.source':
    'Of the last {{all}} looks at clips from {{source}} {{unfetched}} came to nothing: they could not be fetched.',
  'clipValidation.looks.advice':
    'Where most cannot be fetched, this node is kept from its sources: look at its connection and at the page «Data». Nobody is found to lie meanwhile.',
  'clipValidation.busy': 'More questions for clips wait than are answered. Ask again later.',
  'clipValidation.notMeasured': 'Nobody has measured with these models from where on two clips are the same.',
  'clipValidation.notMeasured.hint': 'Measure it with clips of your own: quarry calibrate clips',
  'clipValidation.noListeners': 'Nothing is installed that hears when somebody speaks, and who.',
  'clipValidation.noListeners.hint':
    'Fetch the models of sounds and of speakers on the page «Data», or ask for videos alone.',
} as const;
