/** What main says about: files of published data sets, of which tasks with a long context are made. */
export const contextFiles = {
  'contextFiles.missing': '«{{file}}» is not in {{folder}}.',
  'contextFiles.missing.hint':
    'Put it there. It comes from {{from}}. Texts of Quarry’s own can be asked about without it.',
  'contextFiles.fromZip': '{{url}}, and is called {{member}} in it',
  'contextFiles.fromTable': '{{page}}, part «{{split}}», each row written as JSON in a line of its own',
  'contextFiles.empty': 'There is no row in «{{path}}».',
  'contextFiles.useless': 'No row of «{{path}}» can be used. {{faults, spaces}}',
  'contextFiles.fetchAgain': 'Fetch the file again, from where it is published.',
  'contextFiles.rowFault': '{{file}}, row {{line}}: {{why}}.',
  'contextFiles.changed': '«{{path}}» was changed since it was opened.',
  'contextFiles.otherSet': 'does not say {{name}}',
  'contextFiles.noDocument': 'the answer follows from «{{title}}», which is not among its documents',
  'contextFiles.noPrompts': '«{{path}}» is not what LongBench has there.',
  'contextFiles.noPrompts.hint': 'Fetch it again, or take it away: Quarry then asks in words of its own, and says so.',
  'contextFiles.tooLong':
    'In {{tokens, token|tokens}} this cannot be asked: without anything to be read beside it, it has {{least}} already.',
  'contextFiles.tooLong.hint': 'Ask for a length above {{least, token|tokens}}.',
} as const;
