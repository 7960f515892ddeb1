/** What main says about: what comes of learning from feedback. */
export const learningRuns = {
  'learning.cannot':
    'Even with the feedback before its eyes the model did what was said in only {{complied}} of {{tried, answer|answers}}; {{kept}} are too few to learn from. A larger model may do it, or other words.',
  'learning.tooLong':
    'Of {{of, question|questions}} to learn from, {{tooLong}} are too long, with the feedback or with their answers.',
  'learning.tooLong.hint':
    'A question and its answer may have {{longest}} tokens together, and the model needs room in its context for them and all that was said.',
  'learning.why.distillation':
    'The model answered again with the feedback before its eyes, and learns those of its answers that do what was said (context distillation).',
  'learning.why.sdpo':
    'Some of the model’s own answers do what was said already, so it learns which of its words were better (SDPO).',
  'learning.why.noneComplies':
    'None of {{tried, own answer|own answers}} does what was said, and SDPO can only prefer what the model says already: it learns answers that it gave with the feedback before its eyes (context distillation).',
  'learning.weaker':
    'It was taken at {{percent}} % of its strength: at full strength something else that the model knew was lost.',
  'learning.cannotBegin': 'Learning cannot begin: {{why}}',
  'learning.noRun': 'Nothing is being learnt.',
  'learning.whenAsked': 'This node learns only when it is asked to.',
  'learning.policy': 'It waits for this computer to have time: {{reason}}',
  'learning.serving': 'It waits until nobody is being answered.',
  'learning.noTokens': 'This node’s model runs elsewhere, and a model learns only where it runs.',
  'learning.noTokens.hint': 'Load a model on this computer, or give the feedback on the node that runs the model.',
  'learning.rules': 'Answers are checked by several rules: {{rules}}',
  'learning.notHere': 'This node runs no model, so none learns here.',
  'learning.cancelled': 'It was cancelled; the feedback waits.',
  'learning.inUseNoMore': 'It was learnt ({{version}}), and is not in use any more.',
  'learning.damagedPiece': 'What this run had kept of its work is damaged («{{name}}»).',
  'learning.damagedPiece.hint': 'Its feedback waits; the next run makes it anew.',
  'learning.damagedRun': 'What was written down of this run is damaged.',
  'learning.unreadableRun': 'It cannot be read what this run learns from: {{system}}',
  'learning.unknownRun': 'There is no such run.',
  'learning.unknownRun.hint': 'Those that there are: quarry learn runs',
  'learning.othersTurn': 'Something else is being learnt, and did not end within {{seconds, second|seconds}}.',
  'learning.othersTurn.hint': 'The feedback is kept and waits; it is learnt in its turn.',
  'learning.pausedNow': 'Learning is paused on this node.',
  'learning.setAside': 'Learning it was stopped, and goes on later.',
  'mesh.learning': 'It learns at the moment.',
} as const;
