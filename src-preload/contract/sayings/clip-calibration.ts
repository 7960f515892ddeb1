/** What main says about: from where on models call two clips alike, and how that is measured. */
export const clipCalibration = {
  'clipCalibration.running': 'It is being measured already.',
  'clipCalibration.tooFew':
    'The library has clips of {{videos, video|videos}} that were made into numbers by these models; it takes {{least}} to measure by.',
  'clipCalibration.tooFew.hint':
    'Make clips of {{more, more video|more videos}}, of different things, with one topic after another: quarry data mine TOPIC',
  'clipCalibration.unread':
    'Of {{of, clip|clips}} only {{read}} could be read: the files of the others are damaged, or no longer there. It takes {{least}} to measure by.',
  'clipCalibration.fewSounds':
    'Only {{clips, clip has|clips have}} sound; it takes {{least}}. Nothing is scored until sounds are measured, too: make more clips with sound, or use no model of sounds (quarry settings set data.models.sounds none).',
  'clipCalibration.soundsStay':
    'Only {{clips, clip has|clips have}} sound; it takes {{least}}. What was measured of sounds before stays.',
  'clipCalibration.copies':
    'To this model a worse copy of a clip is no closer to it than other clips are: nothing can be told apart by it. Use another model, or make clips of different things.',
  'clipCalibration.words':
    'To this model the clips are no closer to their own words than to those of others, so it cannot be measured by them. Describe clips in your own words (quarry data describe), or have a model describe them (data.captioner).',
  'clipCalibration.scale':
    'Closeness to words counts from 0 to 0.5, and to this model the words of others are closer than that to the clips, or own words less close: scores would say nothing. Use another model.',
  'clipCalibration.otherModel': 'In the folder {{folder}} lies another model by now: measure again.',
  'clipCalibration.notKept': 'What was measured cannot be written to the folder of the model, {{folder}}: {{reason}}.',
} as const;
