// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tidemark.features.geojson.Quadkey;
import io.tidemark.features.model.InvalidRequestException;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tiles of both kinds: cases D17 and F2. */
class TileTest {

  private static final Offset<Double> EXACT = within(1e-12);

  @Test
  void d17ATileOfAMapOnTheWeb() {
    Area.Box box = Tile.web("120203302030322200").box();

    assertThat(box.west()).isEqualTo(8.6572265625);
    assertThat(box.east()).isEqualTo(8.658599853515625);
    assertThat(box.south()).isCloseTo(50.12321958080243, EXACT);
    assertThat(box.north()).isCloseTo(50.124100042692376, EXACT);
    Area.Box wider = Tile.web("120203302030322200").box(256);
    assertThat(wider.west()).isCloseTo(2 * box.west() - box.east(), EXACT);
    assertThat(wider.north()).isGreaterThan(box.north());
  }

  @Test
  void f2AHereTileByItsNumberAndItsDigits() {
    assertThat(Tile.here(377894440).quadkey()).isEqualTo("12201203120220");
    assertThat(Tile.here("12201203120220").id()).isEqualTo(377894440);
    assertThat(Tile.here("12201203120220")).isEqualTo(new Tile(Tile.Kind.HERE, 14, 8800, 6486));
    assertThat(Tile.here(23618381).quadkey()).isEqualTo("122012031031");
    assertThat(Tile.here("122012031031").box())
        .isEqualTo(new Area.Box(13.623046875, 52.20703125, 13.7109375, 52.294921875));
  }

  @Test
  void aPlaceIsInTheTileOfItsQuadkey() {
    Area.Box box = Tile.here(Quadkey.of(13.37, 52.52).substring(0, 14)).box();

    assertThat(box)
        .isEqualTo(new Area.Box(13.359375, 52.5146484375, 13.38134765625, 52.53662109375));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "A", "5031", "01234", "00000000000000000000000000000000"})
  void d17F2WhatIsNoQuadkeyIsRefused(String digits) {
    assertThatThrownBy(() -> Tile.web(digits)).isInstanceOf(InvalidRequestException.class);
    assertThatThrownBy(() -> Tile.here(digits)).isInstanceOf(InvalidRequestException.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 0, 1, 3, 8, 15})
  void whatIsNoNumberOfATileIsRefused(long id) {
    assertThatThrownBy(() -> Tile.here(id)).isInstanceOf(InvalidRequestException.class);
  }

  @Test
  void aMarginGoesAcrossTheAntimeridianAndNotBeyondTheMap() {
    Area.Box west = Tile.web("00").box(64);
    assertThat(west.west()).isEqualTo(157.5);
    assertThat(west.east()).isEqualTo(-67.5);
    assertThat(west.north()).isCloseTo(85.05112877980659, within(1e-9));
    assertThat(Tile.web("0").box(256)).extracting(Area.Box::west).isEqualTo(-180.0);
    assertThat(Tile.here("0").box(1000).north()).isEqualTo(90);
    assertThatThrownBy(() -> Tile.web("0").box(-1)).isInstanceOf(InvalidRequestException.class);
  }

  @Test
  void aBoxAcrossTheAntimeridianIsTwo() {
    assertThat(new Area.Box(170, -1, -170, 1).parts())
        .containsExactly(new Area.Box(170, -1, 180, 1), new Area.Box(-180, -1, -170, 1));
    for (String wrong :
        new String[] {"1,2,3", "a,0,1,1", "-181,0,0,0", "0,1,0,0", "0,0,0,91", "NaN,0,0,0"}) {
      assertThatThrownBy(() -> Area.box(wrong)).isInstanceOf(InvalidRequestException.class);
    }
  }
}
