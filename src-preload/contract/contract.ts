import { auditsContract } from './audits.ts';
import { axonContract } from './axon.ts';
import { backupContract } from './backup.ts';
import { chainContract } from './chain.ts';
import { competitionContract } from './competition.ts';
import { conversationsContract } from './conversations.ts';
import { creditsContract } from './credits.ts';
import { dataContract } from './data.ts';
import { dataCalibrationContract } from './data-calibration.ts';
import { dataModelsContract } from './data-models.ts';
import { dataSetContract } from './data-set.ts';
import { desktopContract } from './desktop.ts';
import { evaluationContract } from './evaluation.ts';
import { fleetContract } from './fleet.ts';
import { focusContract } from './focus.ts';
import { focusScoreContract } from './focus-score.ts';
import { focusSentContract } from './focus-sent.ts';
import { focusTasksContract } from './focus-tasks.ts';
import { hubContract } from './hub.ts';
import { inferenceContract } from './inference.ts';
import { learningContract } from './learning.ts';
import { learningRunsContract } from './learning-runs.ts';
import { learningSharingContract } from './learning-sharing.ts';
import { learningTorchContract } from './learning-torch.ts';
import { learningTrainersContract } from './learning-trainers.ts';
import { learningVersionsContract } from './learning-versions.ts';
import { marketContract } from './market.ts';
import { meshContract } from './mesh.ts';
import { modelsContract } from './models.ts';
import { nodeContract } from './node.ts';
import { optimiserContract } from './optimiser.ts';
import { settingsContract } from './settings.ts';
import { tradeContract } from './trade.ts';
import { validatorContract } from './validator.ts';
import { walletContract } from './wallet.ts';

/**
 * Its type by names, so that what the compiler writes of it for programs (`quarry/contract`) refers to each domain, whose calls have their
 * comments there, rather than repeating all of them without.
 */
type Contract = {
  node: typeof nodeContract;
  inference: typeof inferenceContract;
  conversations: typeof conversationsContract;
  mesh: typeof meshContract;
  fleet: typeof fleetContract;
  credits: typeof creditsContract;
  models: typeof modelsContract & typeof hubContract;
  settings: typeof settingsContract;
  desktop: typeof desktopContract;
  backup: typeof backupContract;
  wallet: typeof walletContract;
  axon: typeof axonContract;
  audits: typeof auditsContract;
  chain: typeof chainContract;
  validator: typeof validatorContract;
  evaluation: typeof evaluationContract;
  optimiser: typeof optimiserContract;
  focus: typeof focusContract & typeof focusTasksContract & typeof focusSentContract & typeof focusScoreContract;
  trade: typeof tradeContract;
  competition: typeof competitionContract;
  market: typeof marketContract;
  data: typeof dataContract & typeof dataModelsContract & typeof dataCalibrationContract & typeof dataSetContract;
  learning: typeof learningContract &
    typeof learningRunsContract &
    typeof learningVersionsContract &
    typeof learningSharingContract &
    typeof learningTorchContract &
    typeof learningTrainersContract;
};

/** Everything that a screen or a command may ask of main. Names are `domain.verb`. */
export const contract: Contract = {
  node: nodeContract,
  inference: inferenceContract,
  conversations: conversationsContract,
  mesh: meshContract,
  fleet: fleetContract,
  credits: creditsContract,
  models: { ...modelsContract, ...hubContract },
  settings: settingsContract,
  desktop: desktopContract,
  backup: backupContract,
  wallet: walletContract,
  axon: axonContract,
  audits: auditsContract,
  chain: chainContract,
  validator: validatorContract,
  evaluation: evaluationContract,
  optimiser: optimiserContract,
  focus: { ...focusContract, ...focusTasksContract, ...focusSentContract, ...focusScoreContract },
  trade: tradeContract,
  competition: competitionContract,
  market: marketContract,
  data: { ...dataContract, ...dataModelsContract, ...dataCalibrationContract, ...dataSetContract },
  learning: {
    ...{ ...learningContract, ...learningRunsContract, ...learningVersionsContract, ...learningSharingContract },
    ...{ ...learningTorchContract, ...learningTrainersContract },
  },
};
