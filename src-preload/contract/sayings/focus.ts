/** What main says about: recordings of the screen. */
export const focus = {
  'focus.unknown': 'There is no such recording.',
  'focus.busy': '«{{title}}» is being recorded.',
  'focus.busy.hint': 'Finish it first: one thing is recorded at a time.',
  'focus.notLive': 'Nothing is being recorded with this key.',
  'focus.notInterrupted': 'It has come to its end: nothing can be added.',
  'focus.order': 'Chunk {{chunk}} of part {{part}} does not follow on what is there.',
  'focus.backwards': 'The time of this chunk lies before that of the one before it.',
  'focus.chunk.size': 'A chunk has 1 to {{most}} bytes.',
  'focus.empty': 'Nothing came of it: not one second was recorded.',
  'focus.full':
    'There is no room for recordings: {{free}} bytes are free in {{folder}}, and {{used}} of {{budget}} are used.',
  'focus.full.hint': 'Delete some, or let them take more in the settings.',
  'focus.video.empty': 'There is not one picture in this recording.',
  'focus.video.differ': 'Its parts do not fit into one video: one is {{one}}, another {{other}}.',
  'focus.video.noPictureIn': 'Between {{from}} and {{to}} no picture begins.',
  'focus.video.noPictureIn.hint': 'Where nothing moves there are few: take a longer piece.',
  'focus.video.notPrepared': 'The video of this recording is not made yet.',
  'focus.video.exists': 'There is a file already: {{path}}',
  'focus.video.exists.hint': 'Choose another name.',
  'focus.video.full': 'The disk is full: the video could not be written.',
  'focus.video.died': 'The work on the video ended early: {{reason}}',
  'focus.video.otherCodec': 'Only VP9 can be cut and covered here; this recording is {{codec}}.',
  'focus.video.undecodable': 'The picture at {{at}} cannot be read: {{reason}}',
  'focus.video.undecodable.hint':
    '«Check» says whether the recording is as it was made. A piece without this place may work.',
  'focus.video.unencodable': 'The picture at {{at}} could not be written anew: {{reason}}',
} as const;
