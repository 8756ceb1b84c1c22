// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.objects.InvalidLocationException;
import io.tidemark.objects.s3.S3Settings.Access;
import io.tidemark.objects.s3.S3Settings.Multipart;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

class S3SettingsTest {

  @Test
  void aPlainLocationHasTheDefaults() {
    S3Settings settings = S3Settings.parse("s3://bucket/some/prefix");

    assertThat(settings.bucket()).isEqualTo("bucket");
    assertThat(settings.prefix()).isEqualTo("some/prefix");
    assertThat(settings.region()).isEmpty();
    assertThat(settings.endpoint()).isEmpty();
    assertThat(settings.isByPath()).isFalse();
    assertThat(settings.access()).isEqualTo(Access.READ_WRITE);
    assertThat(settings.requestTimeout()).isEqualTo(Duration.ofSeconds(10));
    assertThat(settings.credentials()).isEmpty();
  }

  @Test
  void parametersSayTheRest() {
    S3Settings settings =
        S3Settings.parse(
            URI.create(
                "s3://b/p?region=eu-central-1&endpoint=http://127.0.0.1:9000"
                    + "&path-style=false&request-timeout=500ms&max-requests=7&access=read-only"));

    assertThat(settings.region()).hasValue("eu-central-1");
    assertThat(settings.endpoint()).hasValue(URI.create("http://127.0.0.1:9000"));
    assertThat(settings.isByPath()).isFalse();
    assertThat(settings.requestTimeout()).isEqualTo(Duration.ofMillis(500));
    assertThat(settings.maxConnections()).isEqualTo(7);
    assertThat(settings.access()).isEqualTo(Access.READ_ONLY);
  }

  @Test
  void anEndpointIsAddressedByPathUnlessToldOtherwise() {
    assertThat(S3Settings.parse("s3://b?endpoint=https://minio.example").isByPath()).isTrue();
    assertThat(S3Settings.parse("s3://b?path-style=true").isByPath()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "s3://b/p, p, s3://b/p",
    "s3://b/p/, p, s3://b/p",
    "s3://b/p/q/, p/q, s3://b/p/q",
    "s3://b, '', s3://b",
    "s3://b/, '', s3://b",
    "S3://b/p, p, s3://b/p",
    "s3://b/a%20b+c%C3%A9, a b+cé, s3://b/a b+cé",
    "s3://my_Bucket.x/p, p, s3://my_Bucket.x/p",
  })
  void aSlashAtTheEndOfThePrefixChangesNothing(String location, String prefix, String shown) {
    S3Settings settings = S3Settings.parse(location);

    assertThat(settings.prefix()).isEqualTo(prefix);
    assertThat(settings.location()).isEqualTo(shown);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "s3:///p | has no bucket; write s3://bucket/prefix",
        "s3:bucket | has no bucket",
        "https://b/p | starts with s3://",
        "s3://b/my prefix | percent-encoded",
        "s3://b/p#x | write %23",
        "s3://b//p | empty segment",
        "s3://b/p/../q | segment '..'",
        "s3://-b/p | name of a bucket",
        "s3://b:9000/p | ?endpoint=http://server:port",
        "s3://data--usw2-az1--x-s3/p | general purpose bucket",
        "s3://b/p?zone=eu | the parameters are region, endpoint, path-style",
        "s3://b/p? | the parameters are region",
        "s3://b/p?region= | write region=eu-central-1",
        "s3://b/p?region=a&region=b | twice",
        "s3://b/p?endpoint=server:9000 | write endpoint=http://server:port",
        "s3://b/p?endpoint=ftp://server | write endpoint=http://server:port",
        "s3://b/p?endpoint=http: | write endpoint=http://server:port",
        "s3://b/p?path-style=yes | true or false",
        "s3://b/p?access=write | read-write or read-only",
        "s3://b/p?request-timeout=10 | write 10s, 500ms or 2m",
        "s3://b/p?request-timeout=0s | longer than nothing",
        "s3://b/p?max-requests=0 | write max-requests=64",
        "s3://b/p?max-requests=many | write max-requests=64",
      })
  void aWrongLocationIsToldWhatToWrite(String location, String remedy) {
    assertThatThrownBy(() -> S3Settings.parse(location))
        .isInstanceOf(InvalidLocationException.class)
        .hasMessageContaining(remedy);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s3://AKIAEXAMPLE:hunter2@bucket/p",
        "s3://AKIAEXAMPLE:hunter2/more@bucket/p",
        "s3://AKIAEXAMPLE:hunter2 @bucket/p",
        "s3://bucket/p?secret-key=hunter2",
        "s3://bucket/p?endpoint=http://AKIAEXAMPLE:hunter2@server",
        "s3://bucket/p?endpoint=http://AKIAEXAMPLE:hunter2%20@server",
      })
  void aSecretInALocationIsRefusedAndNotRepeated(String location) {
    assertThatThrownBy(() -> S3Settings.parse(location))
        .isInstanceOf(InvalidLocationException.class)
        .hasNoCause()
        .hasMessageNotContaining("hunter2")
        .hasMessageNotContaining("AKIAEXAMPLE");
  }

  @Test
  void settingsDontShowCredentials() {
    S3Settings settings =
        S3Settings.builder("bucket")
            .credentials(
                StaticCredentialsProvider.create(
                    AwsBasicCredentials.create("AKIAEXAMPLE", "hunter2")))
            .build();

    assertThat(settings).hasToString("s3://bucket");
  }

  @Test
  void settingsCanBeChanged() {
    S3Settings settings = S3Settings.parse("s3://b/p?region=eu-central-1&access=read-only");

    assertThat(settings.with().build()).isEqualTo(settings);
    assertThat(settings.with().region("us-west-2").build().region()).hasValue("us-west-2");
  }

  @Test
  void partsAreNotSmallerThanS3Allows() {
    assertThatThrownBy(() -> new Multipart(0, 1024, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("5 MiB");
  }
}
