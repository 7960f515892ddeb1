/** What main says about: audits, whether workers compute with the model that they declare. */
export const audits = {
  'audits.otherModel':
    'over {{tokens}} tokens of its answers, {{measure}} is {{found}}, where honest workers with the file that it declares stay below {{threshold}}',
  'audits.top': 'the mean distance of its ten likeliest tokens',
  'audits.chosen': 'the mean distance of its log-probabilities',
  'audits.mismatches': 'the share of tokens that this file would not have chosen',
  'audits.notFoundOut': 'This worker was not found out with this file.',
  'audits.notKept':
    'The answers that show it are not kept any more: those of workers that were found out later have taken their place.',
  'audits.noReport': 'This is no report about a worker.',
  'audits.tooLong': 'The report is longer than any that Quarry writes.',
  'audits.outOfOrder': 'This piece of the report does not follow on the one before.',
  'audits.unsigned': 'An answer of the report is not signed by its worker, or is about something else.',
  'audits.elsewhere': 'The model runs elsewhere, and nobody here knows its file.',
  'audits.elsewhere.hint': 'Choose a model whose file is on this computer.',
  'audits.notLoaded': 'The report is about another model than the one that is loaded.',
  'audits.notLoaded.hint': 'Load the model whose file has the SHA-256 {{model}}.',
  'audits.otherwise':
    'The loaded model computes otherwise than its file says: it has a smaller cache, or its positions are scaled.',
  'audits.otherwise.hint': 'Set its cache to f16 and its positions to be as the model has them.',
  'audits.notCalibrated': 'What honest answers of this model look like is not known here yet.',
  'audits.notCalibrated.hint': 'Calibrate audits with this model first.',
  'audits.otherDevice': 'This model was calibrated on {{before}} and runs on {{now}}, which rounds in another way.',
  'audits.otherDevice.hint': 'Calibrate audits anew with this model.',
} as const;
