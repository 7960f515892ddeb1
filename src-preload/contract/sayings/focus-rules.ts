/** What main says about: whether a recording shows work, by the rules on this computer. */
export const focusRules = {
  'focusRules.length.short': 'It has {{seconds, second|seconds}}; at least {{least}} are wanted.',
  'focusRules.length.long': 'It has {{minutes, minute|minutes}}; at most {{most}} are wanted.',
  'focusRules.length.fits': 'Its length fits.',
  'focusRules.chain.broken': 'It is not as it was recorded, from second {{second}} on.',
  'focusRules.chain.whole': 'It is as it was recorded.',
  'focusRules.clock.fast': 'Up to second {{second}}, more is shown than there was time for.',
  'focusRules.clock.steady': 'It was recorded as time went by.',
  'focusRules.work.share': 'Somebody was at work in {{busy}} of {{total, second|seconds}}.',
  'focusRules.playback.found':
    'In {{seconds, second|seconds}} the picture moved all the time and nobody did anything, as when a film is playing.',
  'focusRules.playback.none': 'No film is playing.',
  'focusRules.slides.found': 'It is still, but for {{changes}} changes of the whole picture, as in a row of pictures.',
  'focusRules.slides.none': 'It is no row of pictures.',
  'focusRules.loop.found': 'It shows the same again every {{seconds, second|seconds}}.',
  'focusRules.loop.none': 'Nothing in it is repeated.',
  'focusRules.jiggler.found': 'The mouse moved as by itself: nothing was pressed, and nothing came of it.',
  'focusRules.jiggler.none': 'Nothing shows that a program moved the mouse.',
  'focusRules.copy.found':
    'It shows the same as «{{title}}»: {{common, change|changes}} of the picture come in the same rhythm.',
  'focusRules.copy.none': 'It shows nothing that was recorded here before.',
  'focusRules.copy.untold': 'How the picture looked was not kept.',
  'focusRules.untold': 'This computer does not tell how often keys and mouse were used.',
  'focusRules.work.byPicture':
    'Somebody was at work in {{busy}} of {{total, second|seconds}}, as far as the picture tells: keys and mouse were not counted.',
  'focusRules.clock.putBack': 'The clock of this computer was put back meanwhile: how much time went by is not known.',
} as const;
