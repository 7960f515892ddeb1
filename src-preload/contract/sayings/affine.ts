/** What main says about: challenges of Affine, and what answers to them are worth. */
export const affine = {
  'affine.sat.noValues': 'It gives no variable a value.',
  'affine.sat.solved': 'All {{clauses}} clauses hold.',
  'affine.sat.failing':
    '{{failing}} of {{clauses}} clauses do not hold; {{given}} of {{variables}} variables have a value.',
  'affine.hvm.noHoles': 'There is no <HOLES> block, or something in it that is neither a hole nor a remark.',
  'affine.hvm.missing': 'The hole {{hole}} is not filled.',
  'affine.hvm.outside': 'What fills the hole {{hole}} is not of its domain.',
  'affine.hvm.unknownHole': 'It fills a hole that the program does not have.',
  'affine.hvm.failed': 'The program prints what is expected in {{passed}} of {{cases}} test cases.',
  'affine.hvm.solved': 'The program prints what is expected in all {{cases}} test cases.',
  'affine.ded.noProgram': 'There is no program.',
  'affine.ded.late': 'The program takes too long; {{passed}} of {{cases}} test cases were right before.',
  'affine.ded.died': 'The program broke its sandbox’s limits: it {{reason}}.',
  'affine.ded.failedFirst': 'The program fails test case 1 of {{cases}}.',
  'affine.ded.failedAt': 'The program passes {{passed}} of {{cases}} test cases and fails test case {{failed}}.',
  // What results of earlier versions were signed with.
  'affine.ded.failed': 'The program passes {{passed}} of {{cases}} test cases, and fails the next one.',
  'affine.ded.solved': 'The program is right in all {{cases}} test cases.',
  'affine.abd.noInput': 'There is no <INPUT> block.',
  'affine.abd.late': 'With this input the program does not come to an end.',
  'affine.abd.refused': 'With this input the program fails.',
  'affine.abd.otherwise': 'With this input the program prints something else.',
  'affine.abd.found': 'With this input the program prints what is expected.',
  'affine.elr.noAnswer': 'There is no <Answer> block.',
  'affine.elr.right': 'The number is right.',
  'affine.elr.wrong': 'The number is wrong.',
} as const;
