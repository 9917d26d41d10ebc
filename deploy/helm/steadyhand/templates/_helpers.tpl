{{/* The name of everything in this release. */}}
{{- define "steadyhand.name" -}}
{{- printf "%s" .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{/* Labels by which a part's pods are found; `part` is server, worker, inference, sandbox or migrate. */}}
{{- define "steadyhand.selector" -}}
app.kubernetes.io/name: steadyhand
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end -}}

{{- define "steadyhand.labels" -}}
{{ include "steadyhand.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "steadyhand.image" -}}
{{- $image := .image -}}
{{- if $image.digest -}}
{{ required .why $image.repository }}@{{ $image.digest }}
{{- else -}}
{{ required .why $image.repository }}:{{ $image.tag | default .root.Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- define "steadyhand.secret" -}}
{{- .Values.secrets.existing | default (printf "%s-secrets" (include "steadyhand.name" .)) -}}
{{- end -}}

{{/* Variables that are no secrets, of servers, workers, inference processes and the migration. */}}
{{- define "steadyhand.env" -}}
{{- $root := .root -}}
{{- $values := $root.Values -}}
{{- $env := dict "PORT" "8080" "HOST" "0.0.0.0" "DATA_DIR" "/data" -}}
{{- /* An inference process knows models and nothing else. */ -}}
{{- if ne .part "inference" -}}
{{- $env = merge $env (dict
  "ENGINE" "cluster"
  "TEMPORAL_ADDRESS" (required "temporal.address has to be given: host:port of Temporal's frontend" $values.temporal.address)
  "TEMPORAL_NAMESPACE" $values.temporal.namespace
  "BLOBS" (required "blobs.address has to be given: s3://bucket/prefix?endpoint=https://host:port&region=us-east-1" $values.blobs.address)
  "SANDBOX_ISOLATION" "remote"
) -}}
{{- end -}}
{{- if and (eq .part "server") $values.server.trustedProxies -}}
{{- $_ := set $env "TRUSTED_PROXIES" $values.server.trustedProxies -}}
{{- end -}}
{{- if eq .part "worker" -}}
{{- $_ := set $env "HEALTH_PORT" "8080" -}}
{{- $_ := set $env "WORKER_GRACE_MS" (mul $values.worker.graceSeconds 1000) -}}
{{- else if hasKey $values .part -}}
{{- $_ := set $env "DRAIN_TIMEOUT_MS" (mul (index $values .part).graceSeconds 1000) -}}
{{- end -}}
{{- if hasKey $values .part -}}
{{- $_ := set $env "DRAIN_DELAY_MS" (mul (index $values .part).drainDelaySeconds 1000) -}}
{{- end -}}
{{- if and (has .part (list "server" "worker")) (gt (int $values.inference.replicas) 0) -}}
{{- $_ := set $env "INFERENCE_URL" (printf "http://%s-inference" (include "steadyhand.name" $root)) -}}
{{- end -}}
{{- if $values.telemetry.otlpEndpoint -}}
{{- $_ := set $env "OTEL_EXPORTER_OTLP_ENDPOINT" $values.telemetry.otlpEndpoint -}}
{{- end -}}
{{- $own := dict -}}
{{- if hasKey $values .part -}}
{{- $own = (index $values .part).env | default dict -}}
{{- end -}}
{{- range $name, $value := mergeOverwrite $env (ternary dict $values.temporal.env (eq .part "inference")) $values.env $own }}
- name: {{ $name }}
  value: {{ $value | toString | quote }}
{{- end }}
{{- end -}}

{{/* One of the product's roles, as the containers of a pod. */}}
{{- define "steadyhand.container" -}}
{{- $values := .root.Values -}}
name: {{ .part }}
image: {{ include "steadyhand.image" (dict "root" .root "image" $values.image "why" "image.repository has to be given: where the image of the Dockerfile was pushed to") }}
imagePullPolicy: {{ $values.image.pullPolicy }}
command: [node, dist/main.mjs, --role={{ .part }}]
env:
  {{- include "steadyhand.env" . | nindent 2 }}
{{- if eq .part "inference" }}
  - name: API_KEY
    valueFrom:
      secretKeyRef:
        name: {{ include "steadyhand.secret" .root }}
        key: API_KEY
{{- else }}
envFrom:
  - secretRef:
      name: {{ include "steadyhand.secret" .root }}
{{- end }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  capabilities:
    drop: [ALL]
volumeMounts:
  - name: data
    mountPath: /data
  - name: tmp
    mountPath: /tmp
{{- end -}}

{{/* A Deployment of one of the roles. */}}
{{- define "steadyhand.deployment" -}}
{{- $root := .root -}}
{{- $part := index $root.Values .part -}}
{{- $models := and (eq .part "inference") $root.Values.inference.modelsClaim -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "steadyhand.name" $root }}-{{ .part }}
  labels:
    {{- include "steadyhand.labels" . | nindent 4 }}
spec:
  {{- if not $part.autoscaling.enabled }}
  replicas: {{ $part.replicas }}
  {{- end }}
  selector:
    matchLabels:
      {{- include "steadyhand.selector" . | nindent 6 }}
  strategy:
    type: RollingUpdate
    rollingUpdate:
      # A new pod has to be ready before an old one goes.
      maxUnavailable: 0
      maxSurge: 1
  template:
    metadata:
      labels:
        {{- include "steadyhand.labels" . | nindent 8 }}
      {{- if not $root.Values.secrets.existing }}
      annotations:
        # Pods are replaced when what was given for the Secret changes; what the chart draws stays.
        checksum/secrets: {{ $root.Values.secrets | toJson | sha256sum }}
      {{- end }}
    spec:
      automountServiceAccountToken: false
      # Time to drain, and to close what is open.
      terminationGracePeriodSeconds: {{ add $part.drainDelaySeconds $part.graceSeconds 15 }}
      {{- with $root.Values.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      securityContext:
        fsGroup: 1000
        seccompProfile:
          type: RuntimeDefault
      containers:
        - {{- include "steadyhand.container" . | nindent 10 }}
            {{- if $models }}
            - name: models
              mountPath: /models
              readOnly: true
            {{- end }}
          ports:
            - name: http
              containerPort: 8080
          resources:
            {{- toYaml $part.resources | nindent 12 }}
          startupProbe:
            httpGet: { path: /livez, port: http }
            periodSeconds: 2
            failureThreshold: 60
          livenessProbe:
            httpGet: { path: /livez, port: http }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /readyz, port: http }
            periodSeconds: 5
            timeoutSeconds: 5
            failureThreshold: 2
      volumes:
        # Nothing that has to outlive the pod.
        - name: data
          emptyDir: {}
        - name: tmp
          emptyDir: {}
        {{- if $models }}
        - name: models
          persistentVolumeClaim:
            claimName: {{ $models }}
            readOnly: true
        {{- end }}
      {{- with $part.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $part.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $part.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "steadyhand.selector" . | nindent 14 }}
{{- end -}}
