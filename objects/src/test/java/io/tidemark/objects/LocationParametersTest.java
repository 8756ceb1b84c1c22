// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocationParametersTest {

  private final LocationParameters parameters = new LocationParameters("x://place");

  @Test
  void parametersAreDecodedInTheOrderGiven() {
    assertThat(parameters.parse("b=1+2%20%26&a&c=x=y"))
        .containsExactly(entry("b", "1+2 &"), entry("a", ""), entry("c", "x=y"));
  }

  @Test
  void aParameterStandsThereOnce() {
    assertThatThrownBy(() -> parameters.parse("a=secret&a=secret"))
        .isInstanceOf(InvalidLocationException.class)
        .hasMessage(
            "the location x://place is wrong: the parameter a stands there twice; leave one out");
  }

  @Test
  void whatIsBadlyEncodedIsNotRepeated() {
    assertThatThrownBy(() -> parameters.parse("a=secret%zz"))
        .isInstanceOf(InvalidLocationException.class)
        .hasMessageContaining("percent-encoded")
        .hasMessageNotContaining("secret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"secret", "secret:80", "ftp://secret", "http://me:secret@host", "http://h?secret"})
  void anEndpointIsTheAddressOfAServerAndNothingElse(String value) {
    assertThatThrownBy(() -> parameters.endpoint(value))
        .isInstanceOf(InvalidLocationException.class)
        .hasMessageContaining("endpoint=http://server:port")
        .hasMessageNotContaining("secret");
    assertThat(parameters.endpoint("http://host:80")).isEqualTo(URI.create("http://host:80"));
  }

  @Test
  void aTimeHasAUnit() {
    assertThat(LocationParameters.time("500ms")).contains(Duration.ofMillis(500));
    assertThat(LocationParameters.time("2m")).contains(Duration.ofMinutes(2));
    assertThat(LocationParameters.time("5")).isEmpty();
    assertThat(LocationParameters.time("1234567890s")).isEmpty();
  }
}
