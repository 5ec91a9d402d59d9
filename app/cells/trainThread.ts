// The thread of a process of cells that augments its batches.
import '../augmentThread.ts'
import { confineThread } from '../confine.ts'

confineThread()
