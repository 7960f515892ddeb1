import { errorView } from '../../../base/error-view.ts';
import type { EvaluationAnswerRow, EvaluationRow, EvaluationStore } from '../../../store/evaluations.ts';
