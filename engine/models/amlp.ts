import { block } from '../nn/index.ts'
import { gmlp, gmlpDefaults } from './gmlp.ts'

/** aMLP block: gMLP whose gate gets a tiny attention added to its projection ("Pay Attention to MLPs", figure 6). */
export const amlp = block('amlp', { ...gmlpDefaults, attention: 64 }, gmlp.run)
