import { jsonSchemas, machineSchemas, type JsonSchemas } from '../../core/event-schemas.ts';
import type { WorkflowDefinition } from '../../core/workflow-definition.ts';

/**
 * The JSON schemas of a machine's events by their types, e.g. for forms: of those that have a schema whose library gives JSON
 * schemas by the interface Standard JSON Schema, such as zod from 4.2 on.
 */
export const toEventSchemas = ({ machine, events }: WorkflowDefinition): JsonSchemas =>
  jsonSchemas(events ?? machineSchemas(machine));
