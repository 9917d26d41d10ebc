import { INFERENCE_API } from '../apis.ts';
import { Components } from '../components.ts';
import { type OpenApiDocument, security, SECURITY_SCHEMES } from '../document.ts';
import { ANALYZE_BODY, ANALYZE_BODY_SCHEMA, analyzePaths } from './analyze-paths.ts';
import { VALIDATION_SCHEMAS } from './fastapi.ts';
import { operationsPaths } from './operations-paths.ts';
import { protocolPaths } from './protocol-paths.ts';
import * as protocol from './protocol-shapes.ts';
import * as shape from './shapes.ts';
import * as vector from './vector-paths.ts';

const NAMED = {
  Analysis: shape.analysis,
  Detection: shape.detection,
  TextLine: shape.textLine,
  Classification: shape.classification,
  Tensor: shape.tensor,
  TensorStats: shape.tensorStats,
  Timings: shape.timings,
  ModelCard: shape.modelCard,
  Health: shape.health,
  VectorValues: vector.vectorValues,
  VectorBase64: vector.vectorBase64,
  VectorDetections: vector.vectorDetections,
  ServerMetadata: protocol.serverMetadata,
  ServerLive: protocol.live,
  ServerReady: protocol.ready,
  ModelReady: protocol.modelReady,
  ModelList: protocol.modelList,
  ModelMetadata: protocol.modelMetadata,
  ModelConfig: protocol.modelConfig,
  ModelStatistics: protocol.modelStatistics,
  InferenceRequest: protocol.inferenceRequest,
  InferenceResponse: protocol.inferenceResponse,
  RepositoryIndex: protocol.repositoryIndex,
  ProtocolError: protocol.protocolError,
};

const TAGS = [
  { name: 'Analyze', description: 'Images in, results out' },
  {
    name: 'Open Inference Protocol',
    description: 'Tensors in, tensors out; for clients of Triton and KServe',
  },
  { name: 'Operations', description: 'Health and metrics' },
];

/** `/openapi.json`, as FastAPI would give it. @param keyed whether requests need the key */
export function inferenceDescription(keyed: boolean): OpenApiDocument {
  const components = new Components(NAMED);
  const paths = {
    ...analyzePaths(components),
    ...vector.vectorPaths(components),
    ...protocolPaths(components),
    ...operationsPaths(components),
  };
  // Named by the errors of `/v2` alone.
  components.of(protocol.protocolError);
  const schemas = {
    [ANALYZE_BODY]: ANALYZE_BODY_SCHEMA,
    [vector.VECTOR_BODY]: vector.VECTOR_BODY_SCHEMA,
    ...VALIDATION_SCHEMAS,
    ...components.schemas,
  };
  return {
    openapi: '3.1.0',
    info: { title: INFERENCE_API.title, version: INFERENCE_API.version },
    tags: TAGS,
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: SECURITY_SCHEMES,
    },
    security: security(keyed),
  };
}
