// The thread of a process of cells that trains: one for both, since each thread takes time to start.
import '../augmentThread.ts'
import './watch.ts'
