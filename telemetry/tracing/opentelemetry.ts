/**
 * OpenTelemetry's packages, which are loaded with this module. They stand in one of the product's own, as a bundle does not keep
 * the names of a CommonJS package that is loaded by itself.
 */
export * as api from '@opentelemetry/api';
export * as otlp from '@opentelemetry/exporter-trace-otlp-proto';
export * as resources from '@opentelemetry/resources';
export * as sdk from '@opentelemetry/sdk-trace-base';
