import * as tf from '@tensorflow/tfjs-core'

/** Tensors and variables that came into being while something watched. */
export type LeftoverTensors = (tf.Tensor | tf.Variable)[]

/**
 * Records the tensors made from now on. `end` gives the ones still there, neither disposed nor kept by `tf.keep`, whose
 * caller answers for them. Watches do not overlap.
 */
export function watchTensors(): { end(): LeftoverTensors } {
  const engine = tf.engine()
  const before = new Set(Object.values(engine.registeredVariables))
  engine.startScope('cell')
  const scope = engine.state.activeScope
  return {
    end() {
      // Code that was cut off between a start and an end of its own has left scopes open above this one.
      while (engine.state.activeScope !== scope && engine.state.scopeStack.includes(scope)) {
        engine.endScope(engine.state.activeScope.track)
      }
      const tensors = [...scope.track]
      engine.endScope(tensors)
      const variables = Object.values(engine.registeredVariables).filter((variable) => !before.has(variable))
      return [...tensors.filter((tensor) => !tensor.isDisposed && !tensor.kept), ...variables]
    },
  }
}

/** Disposes what is not disposed yet. */
export function disposeLeftovers(left: LeftoverTensors): void {
  for (const tensor of left) if (!tensor.isDisposed) tensor.dispose()
}
