import { scriptedSpawner } from '../../support/scripted-spawner.ts';
import { handleContract } from '../../support/spawner-contract.ts';

handleContract('the scripted spawner', scriptedSpawner());
