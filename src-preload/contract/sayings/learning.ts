/** What main says about: learning from feedback. */
export const learning = {
  'learning.wanted.modules': 'a list of some of these: {{names}}',
  'learning.wanted.adapter':
    'a name of letters, digits, dots, dashes and underscores, in parts between slashes, of at most 64 characters',
  'learning.notKept': 'No such answer of this node’s own model is kept.',
  'learning.notKept.hint':
    'It may be too old, private, or from another node, or none are kept here: ask again, then say what should be different.',
  'learning.tooMuch': '{{most}} pieces of feedback wait or are noted: no more are taken.',
  'learning.tooMuch.hint': 'Let this node learn, or take some of them back.',
  'learning.keyOfOther': 'With this key something else was said already: this is not kept.',
  'learning.keyOfOther.hint': 'What is not the same needs a key of its own.',
  'learning.answerWithoutTokens':
    'The answer is kept without its tokens, so nothing can be learnt from it: the model is on another machine.',
  'learning.noTraining': 'Nothing is learnt on this node.',
  'learning.noAdapters': 'There are no adapters on this node.',
  'learning.damagedFeedback': 'What was written down of this feedback is damaged.',
  'learning.noFeedback': 'There is no feedback {{id}}.',
  'learning.takenNow': 'It is being learnt now.',
  'learning.takenNow.hint': 'Cancel what is being learnt first, or go back to the version before when it is over.',
  'learning.learntAlready': 'It is learnt.',
  'learning.waitsNoLonger': 'It waits no longer.',
  'learning.thumbTeachesNothing': 'Feedback {{id}} is a thumb: nothing is learnt from it.',
  'learning.takenBack': 'Feedback {{id}} was taken back.',
  'learning.sayItAnew': 'Say of the answer what should be different.',
  'learning.undoInstead': 'What was learnt is undone by going back to the version before.',
} as const;
